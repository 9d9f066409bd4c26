// A planted fault, and the short form used in the fault lists.

export interface Fault {
  readonly file: string
  /** Text that occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** Describes the resulting bug as a sentence. */
  readonly bug: string
  /** Test files; one of them must fail. Lists the cheapest that must. */
  readonly tests: ReadonlyArray<string>
  /** Pattern for test names, for files with many slow tests. */
  readonly named?: string | undefined
  /** Whether the tests run built programs. A build takes seconds. Default: only for the pixel. */
  readonly isBuilt?: boolean | undefined
}

/** The resulting bug, the text that occurs exactly once in the file, and its replacement. */
type Planted = readonly [bug: string, find: string, replace: string]

/**
 * Faults in one file, given as a path from its package: `server/src/platform/lists/cursor.ts`. Test paths start at the package.
 */
export const faultsIn = (
  file: string,
  tests: string | ReadonlyArray<string>,
  planted: ReadonlyArray<Planted>,
  options: Pick<Fault, "named" | "isBuilt"> = {},
): ReadonlyArray<Fault> => {
  const folder = `packages/${file.slice(0, file.indexOf("/"))}`
  return planted.map(([bug, find, replace]) => ({
    file: `packages/${file}`,
    find,
    replace,
    bug,
    tests: [tests].flat().map((test) => `${folder}/${test}`),
    ...options,
  }))
}
