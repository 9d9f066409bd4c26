// Approves the sign-in of a terminal, after showing which program requests it. The code may come
// after `#`.
import { NotFoundError } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Button } from "../ui/button.tsx"
import { TextField } from "../ui/field.tsx"
import { Problem } from "../ui/problem.tsx"
import { Read } from "../ui/read.tsx"
import { Screen } from "../ui/screen.tsx"
import { Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { footfall } from "./session.ts"
import { useMe } from "./use-session.ts"
import "./session.css"

const Device = () => {
  const [userCode, setUserCode] = useState(() => decodeURIComponent(location.hash.slice(1)))
  return (
    <Screen title="Sign in to a terminal">
      {userCode === "" ? (
        <EnterCode onCode={setUserCode} />
      ) : (
        <Decide key={userCode} userCode={userCode} onRestart={() => setUserCode("")} />
      )}
    </Screen>
  )
}

const EnterCode = ({ onCode }: { readonly onCode: (code: string) => void }) => {
  const [text, setText] = useState("")
  return (
    <form
      className="card device"
      onSubmit={(event) => {
        event.preventDefault()
        onCode(text.trim())
      }}
    >
      <TextField
        label="Code"
        hint="The terminal shows it, for example WDJB-MJHT."
        required
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={text}
        onValue={setText}
      />
      <div>
        <Button kind="primary" type="submit">
          Continue
        </Button>
      </div>
    </form>
  )
}

interface DecideProps {
  readonly userCode: string
  readonly onRestart: () => void
}

const Decide = ({ userCode, onRestart }: DecideProps) => {
  const { organization, user } = useMe()
  const query = useQuery({
    queryKey: ["device", userCode],
    queryFn: ({ signal }) => footfall.auth.getDeviceLogin({ userCode }, { signal }),
    staleTime: Infinity,
  })
  const decide = useWrite({
    write: (approve: boolean) => footfall.auth.decideDeviceLogin({ userCode, approve }),
  })
  if (decide.isSuccess) {
    return (
      <p role="status">
        {decide.data.approved
          ? "The terminal is signed in. You can close this page."
          : "You denied the request. You can close this page."}
      </p>
    )
  }
  if (query.error instanceof NotFoundError) return <Unknown onRestart={onRestart} />
  return (
    <section className="card device" aria-label="Request">
      <p>
        Does your terminal show this code? <strong className="device-code">{userCode}</strong>
      </p>
      <Read query={query}>
        {({ clientAddress, clientName, expiresAt }) => (
          <dl className="facts">
            <dt>Asks</dt>
            <dd className="break">{clientName ?? "unnamed"}</dd>
            <dt>From</dt>
            <dd>
              <code>{clientAddress}</code>
            </dd>
            <dt>Signs in as</dt>
            <dd className="break">
              {user.email}, {organization.name}
            </dd>
            <dt>Expires</dt>
            <dd>
              <Time at={expiresAt} />
            </dd>
          </dl>
        )}
      </Read>
      <p className="soft">
        Approve only if you started this yourself just now. The name is what the program calls
        itself. It can do everything that you can until it signs out.
      </p>
      <Problem error={decide.error} title="Your decision was not saved" />
      <div className="row">
        <Button
          kind="primary"
          disabled={query.data === undefined}
          isBusy={decide.isPending}
          onClick={() => decide.mutate(true)}
        >
          Approve
        </Button>
        <Button isBusy={decide.isPending} onClick={() => decide.mutate(false)}>
          Deny
        </Button>
      </div>
    </section>
  )
}

const Unknown = ({ onRestart }: Pick<DecideProps, "onRestart">) => (
  <div className="problem" role="alert">
    <h3>No terminal is waiting with this code</h3>
    <p>
      A code works once, for 10 minutes. Run <code>footfall login</code> again, or enter the code
      again.
    </p>
    <Button onClick={onRestart}>Enter another code</Button>
  </div>
)

export default Device
