// Faults in the command line.
import { faultsIn } from "./fault.ts"

export const cli = [
  ...faultsIn("cli/src/terminal/terminal.ts", "src/terminal/plain-text.test.ts", [
    ["text of strangers can move the cursor", "stripVTControlCharacters(text)", "text"],
    [
      "text of strangers can turn the reading direction",
      '.replace(/[\\p{Cc}\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]/gu, "")',
      "",
    ],
    ["text of strangers can begin a line", '.replace(/[\\r\\n\\t]+/g, " ")', ""],
  ]),
  ...faultsIn("cli/src/profiles/config-file.ts", "src/profiles/config-file.test.ts", [
    [
      "the file with the keys can be read by others",
      'openSync(path, "wx", 0o600)',
      'openSync(path, "wx", 0o644)',
    ],
    ["its folder can be read by others", "mode: 0o700", "mode: 0o755"],
    [
      "keys that others can read go unnoticed",
      "(fstatSync(file).mode & 0o077) !== 0",
      "(fstatSync(file).mode & 0o077) === 0o777",
    ],
    [
      "a file that is not understood is replaced",
      "if (isProfiles(content)) {",
      "if (!isProfiles(content)) return noProfiles\n    {",
    ],
    [
      "two commands change the file at once",
      "withFileLock(`${this.path}.lock`,",
      "withFileLock(`${this.path}.lock.${Math.random()}`,",
    ],
  ]),
  ...faultsIn("cli/src/profiles/file-lock.ts", "src/profiles/file-lock.test.ts", [
    [
      "a lock of a dead process is held for ever",
      'if (held === null || isAlive(Number(held.split(" ")[0]))) return false',
      "if (held !== null || held === null) return false",
    ],
    ["a lock of a living process is taken", 'isAlive(Number(held.split(" ")[0]))', "false"],
    [
      "a lock is not given back",
      '    process.off("exit", giveBack)\n    giveBack()',
      '    process.off("exit", giveBack)',
    ],
  ]),
  ...faultsIn("cli/src/output/limited-pages.ts", "src/output/limited-pages.test.ts", [
    [
      "a page that was cut has a cursor that skips rows",
      "hasMore: true, nextCursor: null",
      "hasMore: true",
    ],
    [
      "a page that was cut says that nothing follows",
      "hasMore: true, nextCursor: null",
      "nextCursor: null",
    ],
    ["a page is asked for that is not needed", "rowsLeft <= 0) return", "rowsLeft < 0) return"],
    ["one row too many is given", "data.slice(0, rowsLeft)", "data.slice(0, rowsLeft + 1)"],
  ]),
  ...faultsIn("cli/src/output/output-format.ts", "src/output/output-format.test.ts", [
    [
      "a pipe gets a screen",
      'options.output ?? (stdout.isTTY ? "table" : "json")',
      'options.output ?? "table"',
    ],
    [
      "two forms that cannot be combined pass",
      'options.output !== "json") {',
      'options.output === "json") {',
    ],
  ]),
  ...faultsIn("cli/src/import/run-import.ts", "src/import/row-counter.test.ts", [
    ["the header counts as a row", "this.#lines - (this.#isCsv ? 1 : 0)", "this.#lines"],
  ]),
]
