// Pixel settings: how the script behaves and which pages it records.
import type { Pixel, PixelSettings, PixelUpdateParams } from "@footfall/sdk"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { AreaField, CheckField, type Choice, ChoiceField, TextField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useWrite } from "../ui/use-write.ts"
import { isolated } from "../ui/isolated.ts"

type Text = "consent" | "spa" | "emailCapture" | "cookies"

/** The first choice is the default. */
const choices: { readonly [Key in Text]: ReadonlyArray<Choice<NonNullable<PixelSettings[Key]>>> } =
  {
    consent: [
      { value: "auto", text: "Required in Europe, by the browser's time zone" },
      { value: "required", text: "Required: nothing is stored or sent before consent" },
      { value: "granted", text: "Already given on the site" },
      { value: "denied", text: "Refused: nothing is recorded" },
    ],
    emailCapture: [
      { value: "off", text: "No" },
      { value: "forms", text: "From submitted forms" },
      { value: "all", text: "From submitted forms, and fields outside forms" },
    ],
    cookies: [
      { value: "first-party", text: "A first-party cookie" },
      { value: "none", text: "No cookie" },
    ],
    spa: [
      { value: "auto", text: "Yes" },
      { value: "hash", text: "Yes, also when only the part after # changes" },
      { value: "off", text: "No" },
    ],
  }

const names: Readonly<Record<Text, string>> = {
  consent: "Consent",
  emailCapture: "Capture email addresses",
  cookies: "Recognize visitors by",
  spa: "Record page changes without a reload",
}

/** Shorter labels, because the panel is narrow. */
const factNames: Readonly<Record<Text, string>> = {
  consent: "Consent",
  emailCapture: "Email capture",
  cookies: "Visitor ID",
  spa: "Without reload",
}

const texts: ReadonlyArray<Text> = ["consent", "emailCapture", "cookies", "spa"]

export const Settings = ({ pixel }: { readonly pixel: Pixel }) => {
  const { canWrite } = useMe()
  const [isOpen, setOpen] = useState(false)
  const { excludedPaths, includedPaths, settings } = pixel
  return (
    <section className="stack" aria-label="Settings">
      <div className="spread">
        <h2>Settings</h2>
        {canWrite && <Button onClick={() => setOpen(true)}>Edit settings</Button>}
      </div>
      <dl className="facts">
        {texts.map((key) => (
          <Fact key={key} name={factNames[key]}>
            {(choices[key].find(({ value }) => value === settings[key]) ?? choices[key][0])?.text}
          </Fact>
        ))}
        {settings.respectDnt === true && <Fact name="Do Not Track">respected</Fact>}
        {settings.cookieDomain !== null && (
          <Fact name="Cookie domain">{settings.cookieDomain}</Fact>
        )}
        <Fact name="Pages">
          {includedPaths !== null && `only ${includedPaths.join(", ")}`}
          {excludedPaths !== null && `all except ${excludedPaths.join(", ")}`}
          {includedPaths === null && excludedPaths === null && "all"}
        </Fact>
        <Fact name="Pricing pages">
          {settings.pricingPaths?.join(", ") ?? "detected by address"}
        </Fact>
        <Fact name="Demo pages">{settings.demoPaths?.join(", ") ?? "detected by address"}</Fact>
        <Fact name="Ignored referrers">
          {settings.ignoredReferrers?.join(", ") ?? "sign-in and payment providers"}
        </Fact>
      </dl>
      {isOpen && <EditSettings pixel={pixel} onClose={() => setOpen(false)} />}
    </section>
  )
}

const Fact = ({
  name,
  children,
}: {
  readonly name: string
  readonly children: React.ReactNode
}) => (
  <>
    <dt>{name}</dt>
    <dd className="break">{children}</dd>
  </>
)

interface EditSettingsProps {
  readonly pixel: Pixel
  readonly onClose: () => void
}

const EditSettings = ({ pixel, onClose }: EditSettingsProps) => {
  const [draft, setDraft] = useState(() => draftOf(pixel))
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const save = useWrite({
    write: () => footfall.pixels.update(pixel.id, changesOf(draft)),
    changes: [["pixels"]],
    notice: ({ domain }) => ({ text: isolated`Saved the settings of ${domain}` }),
    onDone: onClose,
  })
  return (
    <FormDialog
      title={isolated`Settings of ${pixel.domain}`}
      verb="Save"
      write={save}
      failure="Nothing was saved"
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={255}
        value={draft.name}
        onValue={(name) => change({ name })}
      />
      {texts.map((key) => (
        <ChoiceField<string>
          key={key}
          label={names[key]}
          choices={choices[key]}
          value={draft[key]}
          onValue={(value) => change({ [key]: value })}
        />
      ))}
      <CheckField
        label="Respect Do Not Track. Global Privacy Control is always respected"
        value={draft.respectDnt}
        onValue={(respectDnt) => change({ respectDnt })}
      />
      <ChoiceField
        label="Pages to record"
        choices={[
          { value: "excluded", text: "All except these" },
          { value: "included", text: "Only these" },
        ]}
        value={draft.pathsAre}
        onValue={(pathsAre) => change({ pathsAre })}
      />
      <Paths label="Pages" value={draft.paths} onValue={(paths) => change({ paths })} />
      <Paths
        label="Pricing pages"
        isByAddress
        value={draft.pricingPaths}
        onValue={(pricingPaths) => change({ pricingPaths })}
      />
      <Paths
        label="Demo pages"
        isByAddress
        value={draft.demoPaths}
        onValue={(demoPaths) => change({ demoPaths })}
      />
      <AreaField
        label="Ignored referrers"
        hint="One host per line, such as login.example.com, from which people only come back. Large sign-in and payment providers are known."
        value={draft.ignoredReferrers}
        onValue={(ignoredReferrers) => change({ ignoredReferrers })}
      />
      <TextField
        label="Cookie domain (optional)"
        hint="To recognize visitors across subdomains, for example acme.example."
        value={draft.cookieDomain}
        onValue={(cookieDomain) => change({ cookieDomain })}
      />
    </FormDialog>
  )
}

interface PathsProps {
  readonly label: string
  readonly isByAddress?: boolean
  readonly value: string
  readonly onValue: (value: string) => void
}

const Paths = ({ isByAddress = false, ...rest }: PathsProps) => (
  <AreaField
    hint={`One path prefix per line, such as /blog.${isByAddress ? " Leave empty to detect them by words in the address." : ""}`}
    {...rest}
  />
)

/** Form values. */
interface Draft extends Readonly<Record<Text, string>> {
  readonly name: string
  readonly respectDnt: boolean
  readonly cookieDomain: string
  readonly pathsAre: "excluded" | "included"
  /** One per line. */
  readonly paths: string
  readonly pricingPaths: string
  readonly demoPaths: string
  readonly ignoredReferrers: string
}

const draftOf = ({ excludedPaths, includedPaths, name, settings }: Pixel): Draft => ({
  name,
  consent: settings.consent ?? "auto",
  emailCapture: settings.emailCapture ?? "off",
  cookies: settings.cookies ?? "first-party",
  spa: settings.spa ?? "auto",
  respectDnt: settings.respectDnt ?? false,
  cookieDomain: settings.cookieDomain ?? "",
  pathsAre: includedPaths === null ? "excluded" : "included",
  paths: (includedPaths ?? excludedPaths ?? []).join("\n"),
  pricingPaths: settings.pricingPaths?.join("\n") ?? "",
  demoPaths: settings.demoPaths?.join("\n") ?? "",
  ignoredReferrers: settings.ignoredReferrers?.join("\n") ?? "",
})

const changesOf = (draft: Draft): PixelUpdateParams => {
  const paths = linesOf(draft.paths)
  return {
    name: draft.name.trim(),
    excludedPaths: draft.pathsAre === "excluded" ? paths : null,
    includedPaths: draft.pathsAre === "included" ? paths : null,
    settings: {
      // The select field only returns one of its choices.
      consent: draft.consent as PixelSettings["consent"],
      emailCapture: draft.emailCapture as PixelSettings["emailCapture"],
      cookies: draft.cookies as PixelSettings["cookies"],
      spa: draft.spa as PixelSettings["spa"],
      respectDnt: draft.respectDnt,
      cookieDomain: draft.cookieDomain.trim() || null,
      pricingPaths: linesOf(draft.pricingPaths),
      demoPaths: linesOf(draft.demoPaths),
      ignoredReferrers: linesOf(draft.ignoredReferrers),
    },
  }
}

/** Null for none. */
const linesOf = (text: string): ReadonlyArray<string> | null => {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  return lines.length === 0 ? null : lines
}
