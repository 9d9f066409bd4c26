// Resets a forgotten password: requests the email, or sets a new password with the token from the email, which is after
// `#`.
import { PermissionError } from "@footfall/sdk"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { SignPage } from "./sign-page.tsx"
import { Button } from "../ui/button.tsx"
import { TextField } from "../ui/field.tsx"
import { Problem } from "../ui/problem.tsx"
import { useTitle } from "../ui/screen.tsx"
import { useWrite } from "../ui/use-write.ts"
import { NewPasswordField } from "./new-password.tsx"
import { anyone } from "./session.ts"

const Reset = () => {
  const [token] = useState(() => decodeURIComponent(location.hash.slice(1)))
  useTitle("Set a new password")
  return (
    <SignPage>
      {token === "" ? <Ask /> : <Choose token={token} />}
      <p className="small">
        <Link to="/">Back to sign in</Link>
      </p>
    </SignPage>
  )
}

const Ask = () => {
  const [email, setEmail] = useState("")
  const ask = useWrite({
    write: () => anyone.requestPasswordReset({ email: email.trim() }),
    isAnonymous: true,
  })
  if (ask.isSuccess) {
    return (
      <>
        <h1>Check your email</h1>
        <p role="status" className="break">
          If {email.trim()} has an account with a password, a link is on its way. It works once, for
          one hour.
        </p>
      </>
    )
  }
  return (
    <>
      <h1>Forgot your password?</h1>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          ask.mutate()
        }}
      >
        <TextField
          label="Email"
          hint="We'll email you a link to choose a new one."
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onValue={setEmail}
        />
        {ask.error instanceof PermissionError ? (
          <NoMail email={email.trim()} />
        ) : (
          <Problem error={ask.error} title="No link was sent" />
        )}
        <Button kind="primary" type="submit" isBusy={ask.isPending}>
          Send link
        </Button>
      </form>
    </>
  )
}

const NoMail = ({ email }: { readonly email: string }) => (
  <div className="problem" role="alert">
    <h3>This server can't send email</h3>
    <p className="break">
      Ask whoever runs it to give you a new invitation. They run{" "}
      <code>footfall-server members reset {email}</code>
    </p>
  </div>
)

const Choose = ({ token }: { readonly token: string }) => {
  const [password, setPassword] = useState("")
  const reset = useWrite({
    write: () => anyone.resetPassword({ token, newPassword: password }),
    isAnonymous: true,
  })
  if (reset.isSuccess) {
    const { invitationsSent } = reset.data
    return (
      <>
        <h1>Your password is set</h1>
        <p role="status">
          {invitationsSent === 0
            ? "You were signed out everywhere. Sign in with the new password."
            : "Your email address was not confirmed yet, so we sent your invitations again. Accept one before you sign in."}
        </p>
      </>
    )
  }
  return (
    <>
      <h1>Choose a new password</h1>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          reset.mutate()
        }}
      >
        <NewPasswordField value={password} onValue={setPassword} />
        <Problem error={reset.error} title="The password was not set" />
        <Button kind="primary" type="submit" isBusy={reset.isPending}>
          Set password
        </Button>
      </form>
    </>
  )
}

export default Reset
