/** Pages of the documentation, as text. */
declare module "*.md" {
  const text: string
  export default text
}
