// A status as text, shape and color.
import type { ReactNode } from "react"

interface BadgeProps {
  readonly tone?: "good" | "warn" | "bad" | "neutral"
  readonly children: ReactNode
}

export const Badge = ({ tone = "neutral", children }: BadgeProps) => (
  <span className={`badge ${tone}`}>{children}</span>
)
