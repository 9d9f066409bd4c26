// An invitation is accepted: the invited person chooses a password and is signed in.
import { useNavigate } from "@tanstack/react-router"
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
  const accept = useWrite({
    write: () =>
      session.acceptInvitation({ token: token.trim(), password, name: name.trim() || undefined }),
    isAnonymous: true,
    onDone: () => navigate({ to: "/", replace: true }),
  })
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
        <TextField label="Your name" autoComplete="name" value={name} onValue={setName} autoFocus />
        <NewPasswordField value={password} onValue={setPassword} />
        <Problem error={accept.error} title="The invitation was not accepted" />
        <Button kind="primary" type="submit" isBusy={accept.isPending}>
          Set password and sign in
        </Button>
      </form>
    </main>
  )
}

export default Invitation
