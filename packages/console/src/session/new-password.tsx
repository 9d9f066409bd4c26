// The input for a new password.
import { TextField } from "../ui/field.tsx"

/** Minimum password length. */
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
