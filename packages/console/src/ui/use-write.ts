// A write: it shows where it stands, says when it is done, and what was shown before is read again.
import { useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query"
import { notify, type Notice } from "./notices.tsx"

interface Write<Input, Output> {
  readonly write: (input: Input) => Promise<Output>
  /** What has changed by it, by start of key. */
  readonly changes?: ReadonlyArray<QueryKey>
  /** Shown at the corner once it is done. */
  readonly notice?: (output: Output, input: Input) => Notice
  readonly onDone?: (output: Output, input: Input) => unknown
  /** It is made without a token, so a 401 says that what was typed is wrong, and is final. */
  readonly isAnonymous?: boolean
}

export const useWrite = <Output, Input = void>({
  write,
  changes = [],
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
      await Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}
