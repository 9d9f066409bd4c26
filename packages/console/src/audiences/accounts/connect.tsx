// Connects an account. The server checks its key, stores it encrypted, and never shows it again.
import { useState } from "react"
import { footfall } from "../../session/session.ts"
import { TextField } from "../../ui/field.tsx"
import { FormDialog } from "../../ui/form-dialog.tsx"
import { useWrite } from "../../ui/use-write.ts"

export const Connect = ({ onClose }: { readonly onClose: () => void }) => {
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
      text: `Connected account ${accountName ?? appName}`,
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
        label="API key of the provider"
        hint="It is checked now and stored encrypted. It is never shown again."
        type="password"
        autoComplete="off"
        required
        value={apiKey}
        onValue={setApiKey}
      />
      <TextField
        label="Address of the provider's API"
        hint="Empty: the one that this server is set up with."
        type="url"
        value={baseUrl}
        onValue={setBaseUrl}
      />
    </FormDialog>
  )
}
