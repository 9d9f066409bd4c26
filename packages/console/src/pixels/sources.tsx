// Write keys of a pixel. A backend, Segment or RudderStack uses them to send events. Each key is shown once.
import type { CreatedWriteKey, WriteKey } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { Badge } from "../ui/badge.tsx"
import { Button } from "../ui/button.tsx"
import { useNow } from "../ui/now.ts"
import { Read } from "../ui/read.tsx"
import { Time } from "../ui/time.tsx"
import {
  CreateWriteKey,
  EndWriteKey,
  KeepWriteKey,
  useEndOld,
  type EndWriteKeyProps,
} from "./write-key-changes.tsx"
import { Snippets } from "./snippets.tsx"

export const Sources = ({ pixelId }: { readonly pixelId: string }) => {
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<CreatedWriteKey | null>(null)
  const endOld = useEndOld(pixelId)
  const query = useQuery({
    queryKey: ["write-keys", pixelId],
    queryFn: ({ signal }) => footfall.pixels.writeKeys.list(pixelId, { signal }),
  })
  return (
    <section className="stack" aria-label="Sources">
      <div className="spread">
        <h2>Sources</h2>
        <Button onClick={() => setCreating(true)}>Create a write key</Button>
      </div>
      <p className="soft">
        Send events from Segment, RudderStack or your own backend. Each source gets a write key.
      </p>
      <Read query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <p className="soft">No write keys yet.</p>
          ) : (
            <ul className="stack">
              {keys.map((key) => (
                <KeyRow
                  key={key.id}
                  pixelId={pixelId}
                  writeKey={key}
                  onRotated={(made, old) => {
                    setCreated(made)
                    endOld.mutate(old)
                  }}
                />
              ))}
            </ul>
          )
        }
      </Read>
      <details className="stack">
        <summary>How to send events</summary>
        <Snippets writeKey="YOUR_WRITE_KEY" />
      </details>
      {isCreating && (
        <CreateWriteKey
          pixelId={pixelId}
          onCreated={(made) => {
            setCreating(false)
            setCreated(made)
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {created !== null && (
        <KeepWriteKey
          created={created}
          endOld={endOld}
          onClose={() => {
            setCreated(null)
            endOld.reset()
          }}
        />
      )}
    </section>
  )
}

interface KeyRowProps {
  readonly pixelId: string
  readonly writeKey: WriteKey
  readonly onRotated: EndWriteKeyProps["onRotated"]
}

const KeyRow = ({ pixelId, writeKey, onRotated }: KeyRowProps) => {
  const nowMs = useNow()
  const [ending, setEnding] = useState<"rotate" | "revoke" | null>(null)
  const { expiresAt, kind, last4, lastUsedAt, name } = writeKey
  const isOver = expiresAt !== null && new Date(expiresAt).getTime() <= nowMs
  return (
    <li className="card stack">
      <div className="spread">
        <span className="break">
          {name} <code>wk_…{last4}</code>
        </span>
        <span className="row">
          <Badge>{kind}</Badge>
          {isOver && <Badge>revoked</Badge>}
          {!isOver && expiresAt !== null && <Badge tone="warn">ends soon</Badge>}
        </span>
      </div>
      <p className="small soft">
        Last used <Time at={lastUsedAt} />
        {!isOver && expiresAt !== null && (
          <>
            , works until <Time at={expiresAt} shape="full" />
          </>
        )}
      </p>
      {!isOver && (
        <div className="row">
          {expiresAt === null && (
            <Button aria-label={`Rotate ${name}`} onClick={() => setEnding("rotate")}>
              Rotate…
            </Button>
          )}
          <Button isDanger aria-label={`Revoke ${name}`} onClick={() => setEnding("revoke")}>
            Revoke…
          </Button>
        </div>
      )}
      {ending !== null && (
        <EndWriteKey
          pixelId={pixelId}
          writeKey={writeKey}
          isRotation={ending === "rotate"}
          onRotated={onRotated}
          onClose={() => setEnding(null)}
        />
      )}
    </li>
  )
}
