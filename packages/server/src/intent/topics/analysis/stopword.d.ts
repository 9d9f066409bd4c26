// The library ships no types: lists of stop words, named by ISO 639-3.
declare module "stopword" {
  const lists: Readonly<Record<string, ReadonlyArray<string>>> | undefined
  export default lists
}
