// Text with a copy button.
import { useState } from "react"

interface CopyProps {
  readonly text: string
  /** Label for screen readers. */
  readonly label: string
  /** Shown instead of the text. */
  readonly shown?: string
}

export const Copy = ({ text, label, shown = text }: CopyProps) => (
  <span className="copy">
    <code className="cut" title={text}>
      {shown}
    </code>
    <CopyButton text={text} label={label} />
  </span>
)

export const CopyButton = ({ text, label }: Omit<CopyProps, "shown">) => {
  const [isCopied, setCopied] = useState(false)
  return (
    <button
      type="button"
      aria-label={`Copy ${label}`}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setCopied(true)
          setTimeout(() => setCopied(false), 1500)
        })
      }}
    >
      <span aria-live="polite">{isCopied ? "Copied" : "Copy"}</span>
    </button>
  )
}

/** Lines to copy, for example a tag. */
export const Snippet = ({ text, label }: Omit<CopyProps, "shown">) => (
  <div className="stack">
    <pre className="snippet" role="group" aria-label={label} tabIndex={0}>
      {text}
    </pre>
    <div className="copy">
      <CopyButton text={text} label={label} />
    </div>
  </div>
)
