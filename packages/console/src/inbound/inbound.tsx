// One source: its facts, what arrived, and its changes.
import type { Inbound } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useMe } from "../session/use-session.ts"
import { Copy } from "../ui/copy.tsx"
import { Fact } from "../ui/facts.tsx"
import { Read } from "../ui/read.tsx"
import { Screen } from "../ui/screen.tsx"
import { Time } from "../ui/time.tsx"
import { Changes } from "./changes.tsx"
import { History } from "./history.tsx"
import { fieldWords } from "./mapping.ts"
import { presetOf, senderOf } from "./presets.ts"
import { inboundQuery, isWaiting, pollMs, useSite } from "./queries.ts"
import { SourceState } from "./state.tsx"
import { consentChoices } from "./words.ts"

const InboundScreen = () => {
  const { inboundId } = useParams({ from: "/signed/pixels/inbound/$inboundId" })
  const { canWrite } = useMe()
  const query = useQuery({
    ...inboundQuery(inboundId),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isWaiting(state.data) ? pollMs.waiting * 2 : pollMs.usual,
  })
  const source = query.data
  return (
    <Screen
      title={source?.name ?? "Inbound source"}
      parent={{ to: "/pixels/inbound", name: "Inbound sources" }}
      actions={canWrite && source !== undefined && <Changes key={inboundId} source={source} />}
    >
      <Read query={query} gone="This source no longer exists.">
        {(found) => (
          <>
            <div className="row">
              <SourceState source={found} />
            </div>
            <Standing source={found} />
            <Facts source={found} />
            <History source={found} />
            <details className="stack">
              <summary>What to click in {senderOf(found.preset)}</summary>
              <p>{presetOf(found.preset).steps}</p>
            </details>
          </>
        )}
      </Read>
    </Screen>
  )
}

/** Why nothing comes in, and what to do. */
const Standing = ({ source }: { readonly source: Inbound }) => {
  const site = useSite(source)
  const sender = senderOf(source.preset)
  if (site === null) {
    return (
      <p className="wrong">
        Its site was deleted, so its URL no longer works. Edit the source and choose another site.
      </p>
    )
  }
  if (source.status === "paused" || site?.status === "paused") {
    return (
      <p>
        {source.status === "paused" ? "It is paused" : "Its site is paused"}: requests are answered,
        so that {sender} stays connected, but what arrives now is lost.
      </p>
    )
  }
  return null
}

const Facts = ({ source }: { readonly source: Inbound }) => {
  const { consent, formerUrlUntil, id, isSigned, last4, lastRequestAt, mapping } = source
  const site = useSite(source)
  const preset = presetOf(source.preset)
  return (
    <dl className="facts">
      <Fact name="From">{preset.name}</Fact>
      <Fact name="Site">
        {site === null || site === undefined ? null : (
          <Link to="/pixels/$pixelId" params={{ pixelId: site.id }} search={{}}>
            {site.domain}
          </Link>
        )}
      </Fact>
      <Fact name="URL">
        <code>…/in/in_…{last4}</code>
      </Fact>
      <Fact name="Former URL">
        {formerUrlUntil === null ? null : (
          <>
            works until <Time at={formerUrlUntil} shape="full" />
          </>
        )}
      </Fact>
      <Fact name="Signature">
        {isSigned
          ? "required"
          : preset.isSigned
            ? "not required: anyone with the URL can send"
            : ""}
      </Fact>
      <Fact name="Consent">{consentChoices.find(({ value }) => value === consent)?.text}</Fact>
      <Fact name="Records">{mapping?.each}</Fact>
      <Fact name="Fields">
        {mapping === null ? null : (
          <ul className="lines">
            {Object.entries(mapping.fields).map(([field, path]) => (
              <li key={field} className="break">
                {fieldWords(field)} <code>{path}</code>
              </li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact name="Last request">
        <Time at={lastRequestAt} />
      </Fact>
      <Fact name="Created">
        <Time at={source.createdAt} shape="full" />
      </Fact>
      <Fact name="Id">
        <Copy text={id} label="id" />
      </Fact>
    </dl>
  )
}

export default InboundScreen
