// One planted fault, and the short form in which the lists beside this file hold them.

export interface Fault {
  readonly file: string
  /** Text that the file has exactly once. */
  readonly find: string
  readonly replace: string
  /** What is wrong then, as a sentence. */
  readonly says: string
  /** Test files of which one must fail. The cheapest that must. */
  readonly tests: ReadonlyArray<string>
  /** Pattern of the names of the tests to run, where a file has many slow ones. */
  readonly named?: string | undefined
  /** Whether the tests run built programs: the build takes seconds. Default: only for the pixel. */
  readonly isBuilt?: boolean | undefined
}

/** What is wrong then, the text that the file has exactly once, and the text in its place. */
type Planted = readonly [says: string, find: string, replace: string]

/** Faults of one file, from its package on: `server/src/lists/cursor.ts`. Tests are written from the package. */
export const faultsIn = (
  file: string,
  tests: string | ReadonlyArray<string>,
  planted: ReadonlyArray<Planted>,
  options: Pick<Fault, "named" | "isBuilt"> = {},
): ReadonlyArray<Fault> => {
  const folder = `packages/${file.slice(0, file.indexOf("/"))}`
  return planted.map(([says, find, replace]) => ({
    file: `packages/${file}`,
    find,
    replace,
    says,
    tests: [tests].flat().map((test) => `${folder}/${test}`),
    ...options,
  }))
}
