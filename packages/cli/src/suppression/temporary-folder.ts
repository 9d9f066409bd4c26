// A folder for rules on the disk that are of no use once the command has ended.

import { rmSync } from "node:fs"
import { makeTemporaryFolder } from "../profiles/dead-drafts.ts"

/** Takes the folder away when the work ends, also by Ctrl-C; after kill -9 the next such command does. */
export const withTemporaryFolder = async <Result>(
  name: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> => {
  const folder = makeTemporaryFolder(name)
  const forget = (): void => rmSync(folder, { recursive: true, force: true })
  process.once("exit", forget)
  try {
    return await work(folder)
  } finally {
    process.off("exit", forget)
    forget()
  }
}
