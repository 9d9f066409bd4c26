// The end of a list that is read page by page: the way to more of it, or why the next page could not be read.
import { Button } from "./button.tsx"
import { Problem } from "./problem.tsx"

interface RestProps {
  readonly pages: {
    readonly hasMore: boolean
    readonly onEnd: () => void
    readonly endError: Error | null
    readonly retryEnd: () => void
  }
  /** On the button that reads more, where scrolling does not. */
  readonly verb?: string
}

export const Rest = ({ pages, verb }: RestProps) => {
  if (pages.endError !== null) {
    return (
      <Problem
        error={pages.endError}
        title="The rest of the list was not read"
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
