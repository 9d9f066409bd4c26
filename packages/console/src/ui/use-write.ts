// A write: it shows where it stands, says when it is done, and what was shown before is read again.
import { useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query"
import { notify, type Notice } from "./notices.tsx"
import { readAgain } from "./read-again.ts"

interface Write<Input, Output> {
  readonly write: (input: Input) => Promise<Output>
  /** What has changed by it, by start of key. */
  readonly changes?: ReadonlyArray<QueryKey>
  /** What becomes of a row of a long list that it has changed. Without it the first page of the list is read again. */
  readonly edit?: (row: unknown, input: Input) => unknown
  /** Shown at the corner once it is done. */
  readonly notice?: (output: Output, input: Input) => Notice
  readonly onDone?: (output: Output, input: Input) => unknown
  /** It is made without a token, so a 401 says that what was typed is wrong, and is final. */
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
    // Else a write waits without a word while the browser is offline, and is made later, when no one expects it.
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
