// The end of a paged list: a button for more, or why the next page failed.
import { Button } from "./button.tsx"
import { Problem } from "./problem.tsx"

interface RestProps {
  readonly pages: {
    readonly hasMore: boolean
    readonly onEnd: () => void
    readonly endError: Error | null
    readonly retryEnd: () => void
  }
  /** Label of the button that loads more, for lists that don't load on scroll. */
  readonly verb?: string
}

export const Rest = ({ pages, verb }: RestProps) => {
  if (pages.endError !== null) {
    return (
      <Problem
        error={pages.endError}
        title="Can't load the rest of the list"
        onRetry={pages.retryEnd}
      />
    )
  }
  if (verb === undefined || !pages.hasMore) return null
  return (
    <div>
      <Button onClick={pages.onEnd}>{verb}</Button>
    </div>
  )
}
