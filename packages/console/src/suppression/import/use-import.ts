// An import of a file of rules: the browser sends the file, the server answers with a plan, and nothing changes before
// the plan is applied. Whoever leaves, cancels or asks for another plan drops this one.
import {
  type AppliedFileImport,
  BadRequestError,
  ConnectionError,
  type FileImportApplyParams,
  type FileImportLayout,
  type FileImportMode,
  type FileImportParams,
  type SuppressionRuleType,
  type UnknownColumn,
} from "@footfall/sdk"
import { useMutation } from "@tanstack/react-query"
import { type RefObject, useEffect, useRef, useState } from "react"
import { footfall, session } from "../../session/session.ts"
import { isolated } from "../../ui/isolated.ts"
import { plural } from "../../ui/time.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { ruleChanges } from "../use-rules.ts"
import { ruleTypes } from "../words.ts"

export const kind = "suppression-rules"

/** What the user chose. */
export interface Asked extends Pick<FileImportParams, "type" | "column" | "header"> {
  readonly mode: FileImportMode
  /** Types that a replacement compares. */
  readonly types: ReadonlyArray<SuppressionRuleType>
  readonly file: File | null
}

/** What is asked about one file. */
export const noFile = { file: null, type: undefined, column: undefined, header: undefined }

const nothing: Asked = { mode: "add", types: [], ...noFile }

/** What the server needs to know; null for any other error. */
export const unknownIn = (error: unknown): UnknownColumn | null =>
  error instanceof BadRequestError ? error.unknownColumn : null

/** What was done. */
export const outcomeWords = (
  mode: Asked["mode"],
  { added, removed }: AppliedFileImport,
): string => {
  if (mode === "remove") return `Removed ${plural(removed, "rule")}`
  const gone = mode === "replace" ? `, removed ${plural(removed, "rule")}` : ""
  return `Added ${plural(added, "rule")}${gone}`
}

/** Whether the choices are complete. */
export const isComplete = ({ mode, types }: Asked): boolean =>
  mode !== "replace" || types.length > 0

/** The limit is the server's: a large file may take hours on a slow line, and the user can cancel. In milliseconds. */
const answerTimeoutMs = 86_400_000

/** What the server works on or keeps for this screen. */
interface Held {
  readonly stop: AbortController
  /** Of the plan that waits. */
  importId?: string | undefined
}

export const useImport = () => {
  const [asked, setAsked] = useState(nothing)
  const [sentBytes, setSentBytes] = useState(0)
  /** Stays while the file is sent again. */
  const [layout, setLayout] = useState<Partial<FileImportLayout> | null>(null)
  const held = useRef<Held>({ stop: new AbortController() })
  useEffect(() => () => drop(held), [])

  const plan = useMutation({
    mutationFn: async ({ file, mode, types, ...reading }: Asked & { readonly file: File }) => {
      const { signal } = held.current.stop
      const compared = mode === "replace" && types.length < ruleTypes.length ? types : undefined
      const { name } = file
      const format = /\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(name) ? "ndjson" : "csv"
      const params = {
        ...reading,
        mode,
        types: compared,
        name: name.slice(0, 255),
        format,
      } as const
      try {
        const made = await session
          .sending(file, setSentBytes)
          .fileImports.plan(kind, file, { ...params, answerTimeoutMs }, { signal })
        held.current.importId = made.importId
        setLayout(made.layout)
        return made
      } catch (error) {
        const unknown = unknownIn(error)
        if (unknown !== null) setLayout({ firstRows: unknown.firstRows })
        throw error instanceof ConnectionError ? await unreadable(file, error) : error
      }
    },
    networkMode: "always",
  })

  const apply = useWrite({
    write: (allowed: FileImportApplyParams) => {
      // It may have been applied even if the answer is lost.
      held.current.importId = undefined
      return footfall.fileImports.apply(kind, allowed, { timeoutMs: applyTimeoutMs })
    },
    changes: ruleChanges,
    notice: (outcome) => ({
      text: isolated`${asked.file?.name ?? ""}: ${outcomeWords(asked.mode, outcome)}`,
    }),
  })

  /** Sends the file, if there is one, as the choices say. */
  const ask = (change: Partial<Asked>): void => {
    drop(held)
    apply.reset()
    setSentBytes(0)
    const next = { ...asked, ...change }
    setAsked(next)
    const { file } = next
    if (file !== asked.file) setLayout(null)
    if (file !== null && isComplete(next)) plan.mutate({ ...next, file })
    else plan.reset()
  }

  return { asked, ask, sentBytes, layout, plan, apply }
}

export type Import = ReturnType<typeof useImport>

/** Stops the request and drops the plan, which would otherwise wait for an hour. */
const drop = (held: RefObject<Held>): void => {
  const { importId, stop } = held.current
  stop.abort()
  held.current = { stop: new AbortController() }
  if (importId !== undefined) footfall.fileImports.drop(kind, importId).catch(() => {})
}

/** Long lists take minutes. */
const applyTimeoutMs = 300_000

/** The browser doesn't say whether it lost the server or the file. */
const unreadable = (file: File, lost: ConnectionError): Promise<Error> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => lost,
      () =>
        new Error(
          isolated`Can't read ${file.name}: it was changed, moved or deleted. Choose it again.`,
        ),
    )
