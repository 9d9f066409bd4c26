// The user ids of a pixel that strangers share, with the way to release one. Nothing is shown without any.
import type { SharedUserId } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { footfall } from "../session/session.ts"
import { Button } from "../ui/button.tsx"
import { isolated } from "../ui/isolated.ts"
import { Problem } from "../ui/problem.tsx"
import { Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"

export const SharedUserIds = ({ pixelId }: { readonly pixelId: string }) => {
  const { data = [] } = useQuery({
    queryKey: ["shared-user-ids", pixelId],
    queryFn: ({ signal }) => footfall.pixels.sharedUserIds.list(pixelId, { signal }),
  })
  return (
    data.length > 0 && (
      <section className="stack" aria-label="Shared user ids">
        <h2>Shared user ids</h2>
        <p className="soft">
          Your site sends the same user id for strangers, so Footfall no longer joins browsers by
          it. Correct what the site sends, then release the user id.
        </p>
        <ul className="stack">
          {data.map((shared) => (
            <Shared key={shared.id} pixelId={pixelId} shared={shared} />
          ))}
        </ul>
      </section>
    )
  )
}

interface SharedProps {
  readonly pixelId: string
  readonly shared: SharedUserId
}

const Shared = ({ pixelId, shared: { id, sharedAt, userId } }: SharedProps) => {
  const name = userId ?? "An email address"
  const release = useWrite({
    write: () => footfall.pixels.sharedUserIds.release(pixelId, id),
    changes: [["shared-user-ids"]],
    notice: () => ({ text: isolated`Released ${name}` }),
  })
  return (
    <li className="card stack">
      <div className="spread">
        <code className="break">{name}</code>
        <Button
          aria-label={`Release ${name}`}
          disabled={release.isPending}
          onClick={() => release.mutate()}
        >
          Release
        </Button>
      </div>
      <p className="small soft">
        Found <Time at={sharedAt} />
      </p>
      <Problem error={release.error} title="The user id was not released" />
    </li>
  )
}
