// Accepts an invitation. New users choose a password, existing users enter theirs, and signed-in users just join. Each
// then continues in the organization that invited them.
import { AuthenticationError, type Invitation as InvitationFor, type Role } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link, useLocation, useNavigate } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { SignPage } from "./sign-page.tsx"
import { Button } from "../ui/button.tsx"
import { TextField } from "../ui/field.tsx"
import { isolated } from "../ui/isolated.ts"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { useWrite } from "../ui/use-write.ts"
import { NewPasswordField } from "./new-password.tsx"
import { anyone, footfall, session } from "./session.ts"
import { meQuery } from "./use-session.ts"

const Invitation = () => {
  // Another link that is opened in this tab changes only the part after `#`.
  const linked = useLocation({ select: ({ hash }) => hash })
  return (
    <SignPage>
      <Opened key={linked} linked={linked} />
    </SignPage>
  )
}

/** How a complete token looks. Only those are looked up while one is typed. */
const complete = /^inv_[\w-]{43}$/

const Opened = ({ linked }: { readonly linked: string }) => {
  const [typed, setTyped] = useState("")
  const token = (linked || typed).trim()
  const [isAccepted, setAccepted] = useState(false)
  // Whether the user was signed in when they opened the link; undefined until known. Someone who signs in here later
  // has already accepted.
  const [isSignedIn, setSignedIn] = useState(linked === "" ? false : undefined)
  useEffect(() => {
    const update = () => setSignedIn((known) => known ?? session.state() === "signedIn")
    void session.start().then(update, update)
  }, [])
  const invited = useQuery({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => anyone.invitation({ token }, { signal }),
    enabled: linked !== "" || complete.test(token),
    retry: false,
    staleTime: Infinity,
  })
  const me = useQuery({ ...meQuery, enabled: isSignedIn === true })
  if (isAccepted) {
    return (
      <>
        <h1>The invitation is accepted</h1>
        <p role="status">
          We could not sign you in. <Link to="/">Sign in</Link> with your password.
        </p>
      </>
    )
  }
  const isOver = invited.error instanceof AuthenticationError
  if (linked !== "" && isOver) {
    return (
      <>
        <h1>This invitation no longer works</h1>
        <p role="status">
          It has been used or has expired, or there is a newer one. If you have accepted it,{" "}
          <Link to="/">{isSignedIn === true ? "open the console" : "sign in"}</Link>. Otherwise ask
          the person who invited you to send it again.
        </p>
      </>
    )
  }
  const failed = [invited, me].find(({ error }) => error !== null && !isOver)
  const isWaiting =
    isSignedIn === undefined ||
    (linked !== "" && invited.data === undefined) ||
    (isSignedIn && me.data === undefined)
  const email = me.data?.user.email
  return (
    <>
      <h1>Accept the invitation</h1>
      {linked === "" && (
        <TextField
          label="Invitation"
          hint="Paste the code or the link that you received."
          wrong={
            isOver
              ? "This invitation no longer works. Ask the person who invited you to send it again."
              : undefined
          }
          required
          value={typed}
          onValue={(text) => setTyped(text.split("#").at(-1) ?? "")}
        />
      )}
      <Problem
        error={failed?.error ?? null}
        title="We could not look up the invitation"
        onRetry={() => void failed?.refetch()}
      />
      {isWaiting ? (
        failed === undefined && <Waiting />
      ) : email !== undefined && email === invited.data?.email ? (
        <Join token={token} invitation={invited.data} />
      ) : (
        <>
          {email !== undefined && (
            <p className="break" role="status">
              You are signed in as <strong>{email}</strong>, but this invitation is for someone
              else.
            </p>
          )}
          <Accept token={token} invitation={invited.data} onAccepted={() => setAccepted(true)} />
        </>
      )}
    </>
  )
}

const withArticle: Readonly<Record<Role, string>> = {
  owner: "an owner",
  admin: "an admin",
  member: "a member",
  viewer: "a viewer",
}

interface AcceptProps {
  readonly token: string
  /** Undefined while the token is not complete. */
  readonly invitation: InvitationFor | undefined
  readonly onAccepted: () => void
}

const Accept = ({ token, invitation, onAccepted }: AcceptProps) => {
  const navigate = useNavigate()
  const [name, setName] = useState("")
  const [password, setPassword] = useState("")
  // The user states this. The page must not reveal to strangers whether an address has an account.
  const [hasPassword, setHasPassword] = useState(false)
  const accept = useWrite({
    write: () =>
      session.acceptInvitation({
        token,
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
      {invitation !== undefined && (
        <>
          <p className="break">
            Join <strong>{invitation.organization.name}</strong> as {withArticle[invitation.role]}.
            You will sign in as <strong>{invitation.email}</strong>.
          </p>
          {/* Password managers save it with the password. */}
          <input type="email" autoComplete="username" hidden readOnly value={invitation.email} />
        </>
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
        {hasPassword ? "I'm new here" : "I already have a password"}
      </Button>
    </form>
  )
}

interface JoinProps {
  readonly token: string
  readonly invitation: InvitationFor
}

/** Adds the signed-in user to the organization of an invitation, and switches to it. */
const Join = ({ token, invitation }: JoinProps) => {
  const navigate = useNavigate()
  // An invitation works once. If the user joined but the switch failed, the next try only switches.
  const joined = useRef<string>(undefined)
  const join = useWrite({
    write: async () => {
      joined.current ??= (await footfall.auth.join({ token })).id
      await session.switchTo(joined.current)
    },
    onDone: () => navigate({ to: "/", replace: true }),
  })
  const { email, organization, role } = invitation
  const { name } = organization
  return (
    <div className="stack">
      <p className="break">
        You are signed in as <strong>{email}</strong>. You are invited to <strong>{name}</strong> as{" "}
        {withArticle[role]}.
      </p>
      <Problem error={join.error} title={isolated`Could not open ${name}`} />
      <Button kind="primary" isBusy={join.isPending} onClick={() => join.mutate()}>
        Join <span>{name}</span>
      </Button>
    </div>
  )
}

export default Invitation
