// Faults in the command line.
import { faultsIn } from "./fault.ts"

export const cli = [
  ...faultsIn("cli/src/terminal/terminal.ts", "src/terminal/plain-text.test.ts", [
    ["untrusted text can move the cursor", "stripVTControlCharacters(text)", "text"],
    [
      "untrusted text can change the reading direction",
      '.replace(/[\\p{Cc}\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]/gu, "")',
      "",
    ],
    ["untrusted text can start a new line", '.replace(/[\\r\\n\\t]+/g, " ")', ""],
  ]),
  ...faultsIn("cli/src/profiles/config-file.ts", "src/profiles/config-file.test.ts", [
    [
      "other users can read the file with the keys",
      'openSync(path, "wx", 0o600)',
      'openSync(path, "wx", 0o644)',
    ],
    ["other users can read its folder", "mode: 0o700", "mode: 0o755"],
    [
      "there is no warning about keys that others can read",
      "(fstatSync(file).mode & 0o077) !== 0",
      "(fstatSync(file).mode & 0o077) === 0o777",
    ],
    [
      "an invalid file is replaced",
      "if (isProfiles(content)) {",
      "if (!isProfiles(content)) return noProfiles\n    {",
    ],
    [
      "two commands change the file at the same time",
      "withFileLock(`${this.path}.lock`,",
      "withFileLock(`${this.path}.lock.${Math.random()}`,",
    ],
  ]),
  ...faultsIn("cli/src/profiles/file-lock.ts", "src/profiles/file-lock.test.ts", [
    [
      "a dead process keeps its lock forever",
      'if (content === null || isAlive(Number(content.split(" ")[0]))) return false',
      "if (content !== null || content === null) return false",
    ],
    ["the lock of a live process is taken over", 'isAlive(Number(content.split(" ")[0]))', "false"],
    [
      "a lock is not released",
      '    process.off("exit", release)\n    release()',
      '    process.off("exit", release)',
    ],
  ]),
  ...faultsIn("cli/src/output/limited-pages.ts", "src/output/limited-pages.test.ts", [
    [
      "a truncated page has a cursor that skips rows",
      "hasMore: true, nextCursor: null",
      "hasMore: true",
    ],
    [
      "a truncated page says that nothing follows",
      "hasMore: true, nextCursor: null",
      "nextCursor: null",
    ],
    ["an unneeded page is requested", "rowsLeft <= 0) return", "rowsLeft < 0) return"],
    ["one row too many is returned", "data.slice(0, rowsLeft)", "data.slice(0, rowsLeft + 1)"],
  ]),
  ...faultsIn("cli/src/output/output-format.ts", "src/output/output-format.test.ts", [
    [
      "a screen is drawn in a pipe",
      'options.output ?? (stdout.isTTY ? "table" : "json")',
      'options.output ?? "table"',
    ],
    [
      "two conflicting output formats are accepted",
      'options.output !== "json") {',
      'options.output === "json") {',
    ],
  ]),
  ...faultsIn("cli/src/import/run-import.ts", "src/import/row-counter.test.ts", [
    ["the header counts as a row", "this.#lines - (this.#isCsv ? 1 : 0)", "this.#lines"],
  ]),
]
