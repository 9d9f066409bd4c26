// What is known of someone or something, by name; and addresses that came from outside.
import type { ReactNode } from "react"

interface FactProps {
  readonly name: string
  readonly children: ReactNode
  /** Where it comes from. */
  readonly source?: ReactNode
}

/** Left out where nothing is known. */
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

/** A link only where the address is one of the web. */
export const Outside = ({ url }: { readonly url: string }) => {
  const parsed = URL.parse(url.includes("://") ? url : `https://${url}`)
  if (parsed?.protocol !== "https:") return <>{url}</>
  return (
    <a href={parsed.href} target="_blank" rel="noreferrer noopener">
      {url.replace(/^https?:\/\/(www\.)?/, "")}
    </a>
  )
}
