// Connects, checks and removes accounts at mailing list providers, and shows the lists of each. Destinations send to
// these accounts.
import type { ConnectedAccount } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Badge } from "../ui/badge.tsx"
import { Button } from "../ui/button.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { Empty } from "../ui/empty.tsx"
import { Problem } from "../ui/problem.tsx"
import { Read } from "../ui/read.tsx"
import { Screen } from "../ui/screen.tsx"
import { plural, Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { accountsQuery } from "./queries.ts"
import "./audiences.css"
import { TextField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { isolated } from "../ui/isolated.ts"

const changes = [["integrations"], ["audiences"]]

const Accounts = () => {
  const { canWrite } = useMe()
  const [isConnecting, setConnecting] = useState(false)
  const connect = canWrite && (
    <Button kind="primary" onClick={() => setConnecting(true)}>
      Connect an account
    </Button>
  )
  return (
    <Screen
      title="Connected accounts"
      actions={
        <>
          <Link className="button normal" to="/audiences" search={true}>
            Back to audiences
          </Link>
          {connect}
        </>
      }
    >
      {canWrite ? (
        <All connect={connect} />
      ) : (
        <Empty title="Viewers can't see connected accounts">
          Your role is viewer. An admin or owner can change it under Settings, Members.
        </Empty>
      )}
      {isConnecting && <Connect onClose={() => setConnecting(false)} />}
    </Screen>
  )
}

const All = ({ connect }: { readonly connect: React.ReactNode }) => (
  <Read query={useQuery(accountsQuery)}>
    {(accounts) =>
      accounts.length === 0 ? (
        <Empty title="No connected accounts" action={connect}>
          Connect an account at your mailing list provider to send audiences to its lists.
        </Empty>
      ) : (
        <ul className="cards">
          {accounts.map((account) => (
            <Account key={account.id} account={account} />
          ))}
        </ul>
      )
    }
  </Read>
)

const tones = { healthy: "good", unhealthy: "warn", disconnected: "bad" } as const

const words = {
  healthy: "Connected.",
  unhealthy: "The provider rejected its API key once. The server will check it again.",
  disconnected: "The provider rejects its API key. Check the key, or connect the account again.",
} as const

const Account = ({ account }: { readonly account: ConnectedAccount }) => {
  const { accountName, appName, id, lastSyncedAt, status } = account
  const [isRemoving, setRemoving] = useState(false)
  const name = accountName ?? appName
  const check = useWrite({ write: () => footfall.integrations.check(id), changes })
  const remove = useWrite({
    write: () => footfall.integrations.disconnect(id),
    changes,
    notice: () => ({ text: isolated`Removed account ${name}` }),
  })
  return (
    <li className="card stack">
      <div className="spread">
        <h2 className="break">{name}</h2>
        <Badge tone={tones[status]}>{status}</Badge>
      </div>
      <p>
        {words[status]} <span className="soft small">Checked </span>
        <Time at={lastSyncedAt} />
      </p>
      {status === "healthy" && <Lists accountId={id} />}
      <div className="row">
        <Button isBusy={check.isPending} onClick={() => check.mutate()}>
          Check now
        </Button>
        <Button isDanger onClick={() => setRemoving(true)}>
          Remove…
        </Button>
      </div>
      <Problem error={check.error} />
      {isRemoving && (
        <Confirm
          title={isolated`Remove account ${name}?`}
          verb="Remove"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setRemoving(false)}
        >
          <p>This deletes its API key. Destinations that use the account stop.</p>
        </Confirm>
      )}
    </li>
  )
}

const Lists = ({ accountId }: { readonly accountId: string }) => {
  const query = useQuery({
    queryKey: ["integrations", "lists", accountId],
    queryFn: ({ signal }) => footfall.integrations.mailingLists(accountId, { signal }),
  })
  return (
    <Read query={query}>
      {(lists) => (
        <ul>
          {lists.map(({ counts, doubleOptIn, id, name }) => (
            <li key={id} className="spread">
              <span className="break">{name}</span>
              <span className="soft small">
                {plural(counts.subscribed, "person", "people")}
                {doubleOptIn && ", double opt-in"}
              </span>
            </li>
          ))}
          {lists.length === 0 && <li className="soft">This account has no lists.</li>}
        </ul>
      )}
    </Read>
  )
}

export default Accounts

// Connects an account. The server checks its key, stores it encrypted, and never shows it again.
const Connect = ({ onClose }: { readonly onClose: () => void }) => {
  const [name, setName] = useState("")
  const [apiKey, setApiKey] = useState("")
  const [baseUrl, setBaseUrl] = useState("")
  const connect = useWrite({
    write: () =>
      footfall.integrations.connect({
        appSlug: "mailer",
        accountName: name.trim() === "" ? null : name.trim(),
        credentials: {
          apiKey: apiKey.trim(),
          ...(baseUrl.trim() !== "" && { baseUrl: baseUrl.trim() }),
        },
      }),
    changes: [["integrations"]],
    notice: ({ accountName, appName }) => ({
      text: isolated`Connected account ${accountName ?? appName}`,
    }),
    onDone: onClose,
  })
  return (
    <FormDialog
      title="Connect an account"
      onClose={onClose}
      verb="Connect"
      write={connect}
      failure="The account was not connected"
      onSubmit={() => connect.mutate()}
    >
      <TextField label="Name" maxLength={160} value={name} onValue={setName} />
      <TextField
        label="API key"
        hint="The server checks it now and stores it encrypted. It is never shown again."
        type="password"
        autoComplete="off"
        required
        value={apiKey}
        onValue={setApiKey}
      />
      <TextField
        label="API URL"
        hint="Leave empty to use this server's default."
        type="url"
        value={baseUrl}
        onValue={setBaseUrl}
      />
    </FormDialog>
  )
}
