// The field of a password that is chosen.
import { TextField } from "../ui/field.tsx"

/** Shortest password. */
const lengthMin = 10

interface NewPasswordProps {
  readonly value: string
  readonly onValue: (value: string) => void
}

export const NewPasswordField = (props: NewPasswordProps) => (
  <TextField
    label="New password"
    hint={`At least ${lengthMin} characters.`}
    type="password"
    autoComplete="new-password"
    required
    minLength={lengthMin}
    {...props}
  />
)
