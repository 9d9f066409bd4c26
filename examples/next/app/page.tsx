// The application's own page.
export default function Page() {
  return <main>This is the application itself.</main>
}
