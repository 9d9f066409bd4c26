// An empty list: what will appear here, and the one action that fills it.
import type { ReactNode } from "react"

interface EmptyProps {
  readonly title: string
  readonly children: ReactNode
  /** The only button. */
  readonly action?: ReactNode
}

export const Empty = ({ title, children, action }: EmptyProps) => (
  <div className="empty">
    <svg viewBox="0 0 132 72" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
      <rect x="2" y="2" width="128" height="68" rx="8" />
      <path
        d="M2 22h128M14 12h24M14 36h56M14 48h72M14 60h40M104 36h14M104 48h14M104 60h14"
        opacity=".6"
      />
    </svg>
    <h2>{title}</h2>
    <div className="soft">{children}</div>
    {action}
  </div>
)
