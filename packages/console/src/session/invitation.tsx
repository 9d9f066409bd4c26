// Accepts an invitation. New users choose a password, existing users enter theirs, and signed-in users just join. Each
// then continues in the organization that invited them.
import { Link, useNavigate } from "@tanstack/react-router"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { NotFoundError } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Mark } from "../frame/mark.tsx"
import { Button } from "../ui/button.tsx"
import { TextField } from "../ui/field.tsx"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { useWrite } from "../ui/use-write.ts"
import { NewPasswordField } from "./new-password.tsx"
import { footfall, session } from "./session.ts"
import { isolated } from "../ui/isolated.ts"
import "./session.css"

const Invitation = () => {
  const [token, setToken] = useState(() => location.hash.slice(1))
  const [isAccepted, setAccepted] = useState(false)
  // Whether the user was signed in when they opened the link; undefined until known. Someone who signs in here later
  // has already accepted.
  const [isSignedIn, setSignedIn] = useState(token === "" ? false : undefined)
  useEffect(() => {
    const update = () => setSignedIn((known) => known ?? session.state() === "signedIn")
    void session.start().then(update, update)
  }, [])
  if (isAccepted) {
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
  const form = <Accept token={token} onToken={setToken} onAccepted={() => setAccepted(true)} />
  return (
    <main className="sign-in">
      <Mark />
      <h1>Accept the invitation</h1>
      {isSignedIn === undefined && <Waiting />}
      {isSignedIn === true && <Join token={token.trim()} otherwise={form} />}
      {isSignedIn === false && form}
    </main>
  )
}

interface AcceptProps {
  readonly token: string
  readonly onToken: (token: string) => void
  readonly onAccepted: () => void
}

const Accept = ({ token, onToken, onAccepted }: AcceptProps) => {
  const navigate = useNavigate()
  const [name, setName] = useState("")
  const [password, setPassword] = useState("")
  // The user states this. The page must not reveal to strangers whether an address has an account.
  const [hasPassword, setHasPassword] = useState(false)
  const accept = useWrite({
    write: () =>
      session.acceptInvitation({
        token: token.trim(),
        password,
        name: hasPassword ? undefined : name.trim() || undefined,
      }),
    isAnonymous: true,
    onDone: (isSignedIn) => (isSignedIn ? navigate({ to: "/", replace: true }) : onAccepted()),
  })
  return (
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
          onValue={(text) => onToken(text.split("#").at(-1) ?? "")}
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
          <p className="soft small">
            You will sign in with the email address that received the invitation.
          </p>
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
        {hasPassword ? "I'm new here" : "I already have a password"}
      </Button>
    </form>
  )
}

// Adds the signed-in user to the organization of an invitation, and switches to it.
interface JoinProps {
  readonly token: string
  /** Shown if the invitation is for another user. */
  readonly otherwise: ReactNode
}

const Join = ({ token, otherwise }: JoinProps) => {
  const navigate = useNavigate()
  const me = useQuery({ queryKey: ["me"], queryFn: () => footfall.auth.me() })
  const invited = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => footfall.auth.join({ token, preview: true }),
    retry: false,
  })
  // An invitation works once. If the user joined but the switch failed, the next try only switches.
  const joined = useRef<string>(undefined)
  const join = useWrite({
    write: async () => {
      joined.current ??= (await footfall.auth.join({ token })).id
      await session.switchTo(joined.current)
    },
    onDone: () => navigate({ to: "/", replace: true }),
  })
  if (invited.error instanceof NotFoundError) {
    return (
      <>
        <p role="status" className="break">
          There is no open invitation for {me.data?.user.email ?? "this account"} here.
        </p>
        {otherwise}
      </>
    )
  }
  if (invited.error !== null) {
    return <Problem error={invited.error} onRetry={() => void invited.refetch()} />
  }
  if (me.error !== null) return <Problem error={me.error} onRetry={() => void me.refetch()} />
  if (invited.data === undefined || me.data === undefined) return <Waiting />
  const { name, role } = invited.data
  return (
    <div className="stack">
      <p className="break">
        You are signed in as {me.data.user.email}. You are invited to {name} with the role {role}.
      </p>
      <Problem error={join.error} title={isolated`Could not open ${name}`} />
      <Button kind="primary" isBusy={join.isPending} onClick={() => join.mutate()}>
        Join {name}
      </Button>
    </div>
  )
}

export default Invitation
