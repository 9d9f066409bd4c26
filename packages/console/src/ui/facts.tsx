// A list of facts about a person or an object, and links from outside sources.
import type { ReactNode } from "react"

interface FactProps {
  readonly name: string
  readonly children: ReactNode
  /** Where the value comes from. */
  readonly source?: ReactNode
}

/** Hidden if the value is unknown. */
export const Fact = ({ name, children, source }: FactProps) => {
  if (children === null || children === undefined || children === "") return null
  return (
    <div className="contents">
      <dt>{name}</dt>
      <dd>
        {children}
        {source}
      </dd>
    </div>
  )
}

/** Renders a link only for web URLs. */
export const Outside = ({ url }: { readonly url: string }) => {
  const parsed = URL.parse(url.includes("://") ? url : `https://${url}`)
  if (parsed?.protocol !== "https:") return <>{url}</>
  return (
    <a href={parsed.href} target="_blank" rel="noreferrer noopener">
      {url.replace(/^https?:\/\/(www\.)?/, "")}
    </a>
  )
}
