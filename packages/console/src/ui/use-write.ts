// A write: it exposes its state, shows a notice when done, and reloads affected queries.
import { useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query"
import { notify, type Notice } from "./notices.tsx"
import { readAgain } from "./read-again.ts"

interface Write<Input, Output> {
  readonly write: (input: Input) => Promise<Output>
  /** Prefixes of the query keys that it changes. */
  readonly changes?: ReadonlyArray<QueryKey>
  /** How it changes a row of a long list. Without it the first page reloads. */
  readonly edit?: (row: unknown, input: Input) => unknown
  /** Shown in the corner when it's done. */
  readonly notice?: (output: Output, input: Input) => Notice
  readonly onDone?: (output: Output, input: Input) => unknown
  /** Sent without a token, so a 401 means the input is wrong and isn't retried. */
  readonly isAnonymous?: boolean
}

export const useWrite = <Output, Input = void>({
  write,
  changes = [],
  edit,
  notice,
  onDone,
  isAnonymous = false,
}: Write<Input, Output>) => {
  const client = useQueryClient()
  return useMutation<Output, Error, Input>({
    mutationFn: write,
    // Otherwise a write would silently wait while the browser is offline, and run later when the user no longer expects
    // it.
    networkMode: "always",
    ...(isAnonymous && { retry: false }),
    onSuccess: async (output, input) => {
      if (notice !== undefined) notify(notice(output, input))
      await onDone?.(output, input)
      const editRow = edit === undefined ? undefined : (row: unknown) => edit(row, input)
      await Promise.all(changes.map((queryKey) => readAgain(client, queryKey, editRow)))
    },
  })
}
