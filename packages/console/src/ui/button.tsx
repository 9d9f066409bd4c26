// A button, and a link that looks like one.
import type { ButtonHTMLAttributes, Ref } from "react"

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: "primary" | "plain" | "normal"
  readonly isDanger?: boolean
  readonly ref?: Ref<HTMLButtonElement>
  /** The request is pending, so it can't be started again. */
  readonly isBusy?: boolean
}

export const Button = ({
  kind = "normal",
  isDanger = false,
  isBusy = false,
  type = "button",
  disabled,
  className = "",
  ...rest
}: ButtonProps) => (
  <button
    type={type}
    className={`button ${kind} ${isDanger ? "danger" : ""} ${className}`}
    disabled={disabled === true || isBusy}
    aria-busy={isBusy || undefined}
    {...rest}
  />
)
