// Form fields: a label, the control, a hint and an error.
import { useId, type InputHTMLAttributes, type ReactNode } from "react"

interface Labelled {
  readonly label: string
  readonly hint?: ReactNode
  readonly wrong?: string | undefined
}

interface TextFieldProps
  extends Labelled, Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value"> {
  readonly value: string
  readonly onValue: (value: string) => void
}

export const TextField = ({ label, hint, wrong, onValue, ...rest }: TextFieldProps) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        aria-invalid={wrong !== undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onValue(event.target.value)}
        {...rest}
      />
      <Hint id={id} hint={hint} wrong={wrong} />
    </div>
  )
}

interface AreaFieldProps extends Labelled {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly required?: boolean
}

export const AreaField = ({ label, hint, wrong, onValue, ...rest }: AreaFieldProps) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="input"
        aria-invalid={wrong !== undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onValue(event.target.value)}
        {...rest}
      />
      <Hint id={id} hint={hint} wrong={wrong} />
    </div>
  )
}

const Hint = ({ id, hint, wrong }: Pick<Labelled, "hint" | "wrong"> & { readonly id: string }) => (
  <div id={`${id}-hint`}>
    {hint !== undefined && <p className="soft small">{hint}</p>}
    {wrong !== undefined && <p className="wrong">{wrong}</p>}
  </div>
)

export interface Choice<Value extends string> {
  readonly value: Value
  readonly text: string
}

interface ChoiceFieldProps<Value extends string> {
  readonly label: string
  readonly choices: ReadonlyArray<Choice<Value>>
  readonly value: Value
  readonly onValue: (value: Value) => void
  /** Hides the label except for screen readers, and makes the field as wide as its text. */
  readonly isCompact?: boolean
  /** The empty choice is none. */
  readonly required?: boolean
  readonly hint?: ReactNode
}

export const ChoiceField = <Value extends string>({
  label,
  choices,
  value,
  onValue,
  isCompact = false,
  required = false,
  hint,
}: ChoiceFieldProps<Value>) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} className={isCompact ? "hidden" : undefined}>
        {label}
      </label>
      <select
        id={id}
        className={`input ${isCompact ? "fit" : ""}`}
        required={required}
        value={value}
        onChange={(event) => {
          const chosen = choices.find((choice) => choice.value === event.target.value)
          if (chosen !== undefined) onValue(chosen.value)
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </select>
      {hint !== undefined && <p className="soft small">{hint}</p>}
    </div>
  )
}

interface CheckFieldProps {
  readonly label: ReactNode
  readonly value: boolean
  readonly onValue: (value: boolean) => void
}

export const CheckField = ({ label, value, onValue }: CheckFieldProps) => (
  <label className="check">
    <input type="checkbox" checked={value} onChange={(event) => onValue(event.target.checked)} />
    <span>{label}</span>
  </label>
)
