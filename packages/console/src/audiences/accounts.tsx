// Connects, checks and removes accounts at mailing list providers and CRMs, and shows the lists of each. Destinations
// send to these accounts.
import type { ConnectedAccount, Integration } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
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
import { accountsQuery, integrationsQuery } from "../queries.ts"
import { listsQuery } from "./queries.ts"
import "./audiences.css"
import { ChoiceField, TextField } from "../ui/field.tsx"
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
      parent={{ to: "/audiences", name: "Audiences" }}
      actions={connect}
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
          Connect an account at your mailing list provider or CRM to send audiences to it.
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
      {status === "healthy" && <Lists account={account} />}
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

const Lists = ({ account }: { readonly account: ConnectedAccount }) => {
  const query = useQuery(listsQuery(account))
  return (
    <Read query={query}>
      {(lists) => (
        <ul>
          {lists.map(({ counts, doubleOptIn, id, name }) => (
            <li key={id} className="spread">
              <span className="break">{name}</span>
              <span className="soft small">
                {counts !== null && plural(counts.subscribed, "person", "people")}
                {doubleOptIn && (counts === null ? "double opt-in" : ", double opt-in")}
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

// Connects an account. The server says what each service asks for, checks the key, stores it encrypted, and never shows
// it again.
const Connect = ({ onClose }: { readonly onClose: () => void }) => (
  <Read query={useQuery(integrationsQuery)}>
    {(integrations) => <ConnectForm integrations={integrations} onClose={onClose} />}
  </Read>
)

type CredentialName = Integration["credentials"][number]["name"]

const ConnectForm = ({
  integrations,
  onClose,
}: {
  readonly integrations: ReadonlyArray<Integration>
  readonly onClose: () => void
}) => {
  const [chosen, setChosen] = useState(integrations[0]!)
  const [name, setName] = useState("")
  const [given, setGiven] = useState<ReadonlyMap<CredentialName, string>>(new Map())
  const value = (field: CredentialName) => given.get(field)?.trim() ?? ""
  const connect = useWrite({
    write: () =>
      footfall.integrations.connect({
        appSlug: chosen.appSlug,
        accountName: name.trim() === "" ? null : name.trim(),
        credentials: {
          apiKey: value("apiKey"),
          ...(value("username") !== "" && { username: value("username") }),
          ...(value("baseUrl") !== "" && { baseUrl: value("baseUrl") }),
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
      <ChoiceField
        label="Service"
        choices={integrations.map(({ appName, appSlug }) => ({ value: appSlug, text: appName }))}
        value={chosen.appSlug}
        onValue={(appSlug) => {
          setChosen(integrations.find((one) => one.appSlug === appSlug)!)
          setGiven(new Map())
        }}
      />
      <TextField label="Name" maxLength={160} value={name} onValue={setName} />
      {chosen.credentials.map(({ hint, isRequired, label, name: field }) => (
        <TextField
          key={`${chosen.appSlug} ${field}`}
          label={label}
          hint={
            field === "apiKey"
              ? `${hint} The server checks it now and stores it encrypted. It is never shown again.`
              : hint
          }
          type={field === "apiKey" ? "password" : field === "baseUrl" ? "url" : "text"}
          autoComplete="off"
          required={isRequired}
          value={given.get(field) ?? ""}
          onValue={(text) => setGiven(new Map(given).set(field, text))}
        />
      ))}
    </FormDialog>
  )
}
