// An invitation is accepted: who is new chooses a password, others give theirs, and each is signed in to the organization
// that invited them.
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { Mark } from "../frame/mark.tsx"
import { Button } from "../ui/button.tsx"
import { TextField } from "../ui/field.tsx"
import { Problem } from "../ui/problem.tsx"
import { useWrite } from "../ui/use-write.ts"
import { NewPasswordField } from "./new-password.tsx"
import { session } from "./session.ts"
import "./session.css"

const Invitation = () => {
  const navigate = useNavigate()
  const [token, setToken] = useState(() => decodeURIComponent(location.hash.slice(1)))
  const [name, setName] = useState("")
  const [password, setPassword] = useState("")
  // The person says it: the page must not show strangers whether an address has an account.
  const [hasPassword, setHasPassword] = useState(false)
  const accept = useWrite({
    write: () =>
      session.acceptInvitation({
        token: token.trim(),
        password,
        name: hasPassword ? undefined : name.trim() || undefined,
      }),
    isAnonymous: true,
    onDone: (isSignedIn) => isSignedIn && navigate({ to: "/", replace: true }),
  })
  if (accept.data === false) {
    return (
      <main className="sign-in">
        <Mark />
        <h1>The invitation is accepted</h1>
        <p role="status">
          We could not sign you in. <Link to="/">Sign in</Link> with your password.
        </p>
      </main>
    )
  }
  return (
    <main className="sign-in">
      <Mark />
      <h1>Accept the invitation</h1>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          accept.mutate()
        }}
      >
        {location.hash.length <= 1 && (
          <TextField
            label="Invitation"
            hint="Paste the code or the link that you received."
            required
            value={token}
            onValue={(text) => setToken(text.split("#").at(-1) ?? "")}
          />
        )}
        {hasPassword ? (
          <TextField
            label="Password"
            hint="The password you already use here."
            type="password"
            autoComplete="current-password"
            required
            autoFocus
            value={password}
            onValue={setPassword}
          />
        ) : (
          <>
            <TextField
              label="Your name"
              autoComplete="name"
              value={name}
              onValue={setName}
              autoFocus
            />
            <NewPasswordField value={password} onValue={setPassword} />
          </>
        )}
        <Problem error={accept.error} title="The invitation was not accepted" />
        <Button kind="primary" type="submit" isBusy={accept.isPending}>
          {hasPassword ? "Accept and sign in" : "Set password and sign in"}
        </Button>
        <Button
          kind="plain"
          onClick={() => {
            setPassword("")
            accept.reset()
            setHasPassword(!hasPassword)
          }}
        >
          {hasPassword ? "I am new here" : "I already have a password"}
        </Button>
      </form>
    </main>
  )
}

export default Invitation
