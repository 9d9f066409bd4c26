// The sign-in form, as its own page and over a page whose session has expired.
import { AuthenticationError, type Me } from "@footfall/sdk"
import { useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState, useSyncExternalStore } from "react"
import { connection } from "../frame/connection.ts"
import { Button } from "../ui/button.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { TextField } from "../ui/field.tsx"
import { Problem } from "../ui/problem.tsx"
import { useWrite } from "../ui/use-write.ts"
import { issuerName, issuerUrl, returnPath } from "./addresses.ts"
import { session } from "./session.ts"
import { meQuery } from "./use-session.ts"
import { SignPage } from "./sign-page.tsx"

export const SignInPage = () => (
  <SignPage>
    <h1>See who came by.</h1>
    <Limited />
    {issuerName !== undefined && (
      <a className="button" href={issuerUrl} onClick={returnPath.keep}>
        Continue with {issuerName}
      </a>
    )}
    <SignInForm />
    <p className="small">
      <Link to="/reset">Forgot your password?</Link>
    </p>
    <p className="soft small">
      No account? An admin of your organization can invite you. If you set up this server, you find
      the password in the terminal where you did.
    </p>
  </SignPage>
)

/** The session in the cookie could not be renewed yet. When it is, it replaces the form. */
const Limited = () => {
  const connected = useSyncExternalStore(connection.subscribe, connection.state)
  if (connected.is !== "limited") return null
  return (
    <p className="soft small" role="status">
      This address has sent too many requests. The console looks for your session again in{" "}
      {connected.seconds} seconds.
    </p>
  )
}

/** The page behind it stays mounted, so nothing is lost. */
export const SignInAgain = () => (
  <Dialog title="Sign in to continue" onClose={() => {}} isLasting>
    <p className="soft">Your session has ended. What you typed is still on the page.</p>
    {issuerName !== undefined && (
      <a className="button" href={issuerUrl} target="_blank" rel="noopener">
        Continue with {issuerName} in a new tab
      </a>
    )}
    <SignInForm />
    <Button kind="plain" onClick={() => void session.signOut()}>
      Sign out
    </Button>
  </Dialog>
)

const SignInForm = () => {
  // Known if the session of this page has expired.
  const known = useQueryClient().getQueryData<Me>(meQuery.queryKey)?.user.email ?? ""
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState("")
  const signIn = useWrite({
    write: () => session.signIn(email.trim(), password),
    isAnonymous: true,
  })
  const isWrong = signIn.error instanceof AuthenticationError
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        signIn.mutate()
      }}
    >
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        required
        autoFocus={known === ""}
        value={email}
        onValue={setEmail}
      />
      <TextField
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        required
        autoFocus={known !== ""}
        value={password}
        onValue={setPassword}
      />
      <Problem error={signIn.error} title={isWrong ? undefined : "You are not signed in"} />
      <Button kind="primary" type="submit" isBusy={signIn.isPending}>
        Sign in
      </Button>
    </form>
  )
}
