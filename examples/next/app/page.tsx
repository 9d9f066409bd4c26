// The application itself.
export default function Page() {
  return <main>This is the application itself.</main>
}
