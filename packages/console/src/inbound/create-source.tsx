// Adds a source: who sends, the form, and the URL once, until the first request arrives.
import type { InboundWithUrl } from "@footfall/sdk"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { Dialog } from "../ui/dialog.tsx"
import { isolated } from "../ui/isolated.ts"
import { useWrite } from "../ui/use-write.ts"
import { KeepUrl } from "./keep-url.tsx"
import { mappingOf } from "./mapping.ts"
import { presets, type Preset } from "./presets.ts"
import { SourceForm, type SourceDraft } from "./source-form.tsx"
import "./inbound.css"

export const CreateSource = ({ onClose }: { readonly onClose: () => void }) => {
  const navigate = useNavigate()
  const [preset, setPreset] = useState<Preset | null>(null)
  const [created, setCreated] = useState<InboundWithUrl | null>(null)
  if (created !== null) {
    const { inbound, url } = created
    return (
      <KeepUrl
        source={inbound}
        url={url}
        isNew
        onClose={() => {
          onClose()
          void navigate({
            to: "/pixels/inbound/$inboundId",
            params: { inboundId: inbound.id },
            search: {},
          })
        }}
      />
    )
  }
  if (preset === null) {
    return (
      <Dialog isWhole title="Add a source" onClose={onClose}>
        <Gallery onChoose={setPreset} />
      </Dialog>
    )
  }
  return <NewSource preset={preset} onCreated={setCreated} onClose={onClose} />
}

const Gallery = ({ onChoose }: { readonly onChoose: (preset: Preset) => void }) => (
  <>
    <p className="lead">Who sends?</p>
    <ul className="presets" aria-label="Who sends">
      {presets.map((preset) => (
        <li key={preset.preset} className="preset">
          <h3>
            <button type="button" onClick={() => onChoose(preset)}>
              {preset.name}
            </button>
          </h3>
          <p>{preset.brings}</p>
          <p className="soft small">{preset.steps}</p>
        </li>
      ))}
    </ul>
  </>
)

interface NewSourceProps {
  readonly preset: Preset
  readonly onCreated: (created: InboundWithUrl) => void
  readonly onClose: () => void
}

const NewSource = ({ onClose, onCreated, preset }: NewSourceProps) => {
  const create = useWrite({
    write: ({ consent, mapping, name, pixelId, secret }: SourceDraft) =>
      footfall.inbound.create({
        name: name.trim(),
        pixelId,
        preset: preset.preset,
        consent,
        ...(secret === "" ? {} : { signingSecret: secret }),
        ...(mapping === null ? {} : { mapping: mappingOf(mapping) }),
      }),
    changes: [["inbound"]],
    notice: ({ inbound }) => ({ text: isolated`Added source ${inbound.name}` }),
    onDone: onCreated,
  })
  return (
    <SourceForm
      title={`Add a source: ${preset.name}`}
      verb="Create the URL"
      failure="No source was added"
      preset={preset}
      write={create}
      onSubmit={create.mutate}
      onClose={onClose}
    />
  )
}
