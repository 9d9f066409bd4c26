// The form of a new source, and of changes to one.
import type { Inbound, InboundConsent } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { pixelsQuery } from "../frame/scope.tsx"
import { CheckField, ChoiceField, TextField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { draftOf, emptyMapping, namesSomeone, type MappingDraft } from "./mapping.ts"
import { MappingFields } from "./mapping-fields.tsx"
import type { Preset } from "./presets.ts"
import { consentChoices, consentHint } from "./words.ts"
import "./inbound.css"

export interface SourceDraft {
  readonly name: string
  readonly pixelId: string
  /** Empty: none, or the present one. */
  readonly secret: string
  readonly isSecretRemoved: boolean
  readonly consent: InboundConsent
  /** Null: the preset says how records are read. */
  readonly mapping: MappingDraft | null
}

const startOf = ({ name, preset }: Preset): SourceDraft => ({
  name: preset === "generic" ? "" : name,
  pixelId: "",
  secret: "",
  isSecretRemoved: false,
  consent: "vouched",
  mapping: preset === "generic" ? emptyMapping : null,
})

const presentOf = ({ consent, mapping, name, pixelId }: Inbound): SourceDraft => ({
  name,
  pixelId,
  secret: "",
  isSecretRemoved: false,
  consent,
  mapping: mapping === null ? null : draftOf(mapping),
})

interface SourceFormProps {
  readonly title: string
  readonly verb: string
  readonly failure: string
  readonly preset: Preset
  /** The present one. */
  readonly source?: Inbound
  readonly write: { readonly isPending: boolean; readonly error: unknown }
  readonly onSubmit: (draft: SourceDraft) => void
  readonly onClose: () => void
}

export const SourceForm = ({
  failure,
  onClose,
  onSubmit,
  preset,
  source,
  title,
  verb,
  write,
}: SourceFormProps) => {
  const sites = useQuery(pixelsQuery)
  const [typed, setDraft] = useState(source === undefined ? startOf(preset) : presentOf(source))
  // With one site there is nothing to choose.
  const onlySite = sites.data?.length === 1 ? sites.data[0]?.id : undefined
  const draft = typed.pixelId === "" ? { ...typed, pixelId: onlySite ?? "" } : typed
  const change = (changed: Partial<SourceDraft>): void => setDraft({ ...draft, ...changed })
  const { consent, mapping, name, pixelId } = draft
  return (
    <FormDialog
      title={title}
      isWhole
      verb={verb}
      write={write}
      failure={failure}
      isReady={name.trim() !== "" && pixelId !== "" && (mapping === null || namesSomeone(mapping))}
      onSubmit={() => onSubmit(draft)}
      onClose={onClose}
    >
      <div className="source-fields">
        {source === undefined && <p className="soft">{preset.steps}</p>}
        <TextField
          label="Name"
          hint="It stands beside every value that this source brings."
          required
          maxLength={160}
          value={name}
          onValue={(next) => change({ name: next })}
        />
        <ChoiceField
          label="Site"
          choices={[
            { value: "", text: "Choose the site that the visits are of" },
            ...(sites.data ?? []).map(({ domain, id }) => ({ value: id, text: domain })),
          ]}
          required
          value={pixelId}
          onValue={(next) => change({ pixelId: next })}
          hint={
            sites.data?.length === 0 ? (
              <>
                There is no site yet. <Link to="/pixels">Add a site</Link> first.
              </>
            ) : undefined
          }
        />
        {preset.isSigned && (
          <SecretFields
            preset={preset}
            isSigned={source?.isSigned === true}
            draft={draft}
            onChange={change}
          />
        )}
        <ChoiceField
          label="Consent"
          choices={consentChoices}
          value={consent}
          onValue={(next) => change({ consent: next })}
          hint={consentHint[consent]}
        />
      </div>
      {mapping !== null && (
        <MappingFields
          preset={preset.preset}
          value={mapping}
          onValue={(next) => change({ mapping: next })}
        />
      )}
    </FormDialog>
  )
}

interface SecretFieldsProps {
  readonly preset: Preset
  readonly isSigned: boolean
  readonly draft: SourceDraft
  readonly onChange: (changed: Partial<SourceDraft>) => void
}

const SecretFields = ({ draft, isSigned, onChange, preset }: SecretFieldsProps) => (
  <>
    {!draft.isSecretRemoved && (
      <TextField
        label={isSigned ? "New signing secret" : "Signing secret"}
        type="password"
        autoComplete="off"
        maxLength={255}
        hint={
          isSigned
            ? "Leave it empty to keep the present one. After a change, the former one is good for 24 hours."
            : `Choose one and enter it in ${preset.name} too. Then the URL alone is not enough to send.`
        }
        value={draft.secret}
        onValue={(secret) => onChange({ secret })}
      />
    )}
    {isSigned && (
      <CheckField
        label="Remove the secret: requests need no signature"
        value={draft.isSecretRemoved}
        onValue={(isSecretRemoved) => onChange({ isSecretRemoved, secret: "" })}
      />
    )}
  </>
)
