// Blanks of a sentence: a choice, or a text, underlined, as wide as what is in them.
import type { InputHTMLAttributes } from "react"
import type { Choice } from "./field.tsx"

interface BlankChoiceProps<Value extends string> {
  /** What a screen reader says, since the sentence around it is the label that is seen. */
  readonly label: string
  readonly choices: ReadonlyArray<Choice<Value>>
  readonly value: Value
  readonly onValue: (value: Value) => void
  /** The empty choice is none. */
  readonly required?: boolean
}

export const BlankChoice = <Value extends string>({
  choices,
  label,
  onValue,
  required = false,
  value,
}: BlankChoiceProps<Value>) => (
  <select
    className="blank"
    aria-label={label}
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
)

interface BlankTextProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value"> {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
}

export const BlankText = ({ label, onValue, ...rest }: BlankTextProps) => (
  <input
    className="blank"
    aria-label={label}
    onChange={(event) => onValue(event.target.value)}
    {...rest}
  />
)
