// Pixels. Each is the script for one site.
import type { Pixel } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet, useMatch, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { pixelsQuery } from "../frame/scope.tsx"
import { useCreating } from "../frame/creating.ts"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Badge } from "../ui/badge.tsx"
import { Button } from "../ui/button.tsx"
import { Empty } from "../ui/empty.tsx"
import { TextField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { List, type Column } from "../ui/list.tsx"
import { Read } from "../ui/read.tsx"
import { Screen } from "../ui/screen.tsx"
import { Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { isolated } from "../ui/isolated.ts"

export const PixelState = ({ pixel }: { readonly pixel: Pixel }) => {
  if (pixel.status === "paused") return <Badge tone="warn">paused</Badge>
  if (pixel.lastEventAt === null) return <Badge>no event yet</Badge>
  return <Badge tone="good">active</Badge>
}

/** How often to look for events: soon again while the first one of a pixel is awaited. In milliseconds. */
export const pixelPollMs = (pixels: ReadonlyArray<Pixel>): number =>
  pixels.some(({ lastEventAt, status }) => lastEventAt === null && status === "active")
    ? 3_000
    : 30_000

const columns: ReadonlyArray<Column<Pixel>> = [
  {
    id: "site",
    title: "Site",
    width: "minmax(8rem, 2fr)",
    cell: ({ domain, id, name }) => (
      <>
        <Link className="open cut" to="/pixels/$pixelId" params={{ pixelId: id }} search={true}>
          {domain}
        </Link>
        {name !== domain && <p className="cut soft small">{name}</p>}
      </>
    ),
  },
  {
    id: "state",
    title: "State",
    width: "8rem",
    cell: (pixel) => <PixelState pixel={pixel} />,
  },
  {
    id: "last",
    title: "Last event",
    width: "8rem",
    isNumber: true,
    from: 420,
    cell: ({ lastEventAt }) => <Time at={lastEventAt} />,
  },
  {
    id: "created",
    title: "Created",
    width: "8rem",
    isNumber: true,
    from: 640,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
]

const Pixels = () => {
  const { canWrite } = useMe()
  const navigate = useNavigate()
  const [isCreating, setCreating] = useCreating("/pixels")
  const query = useQuery({
    ...pixelsQuery,
    refetchInterval: ({ state }) => pixelPollMs(state.data ?? []),
  })
  const openKey = useMatch({ from: "/signed/pixels/$pixelId", shouldThrow: false })?.params.pixelId
  const create = canWrite && (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Add a site
    </Button>
  )
  return (
    <Screen
      title="Sites"
      isFilled
      actions={
        <>
          <Link className="button normal" to="/pixels/inbound" search={{}}>
            Inbound sources
          </Link>
          {create}
        </>
      }
      panel={openKey === undefined ? undefined : <Outlet />}
    >
      <Read query={query}>
        {(pixels) =>
          pixels.length === 0 ? (
            <Empty title="No sites yet" action={create}>
              Put the tag of a site on its pages, and visits appear here within seconds.
            </Empty>
          ) : (
            <List
              label="Sites"
              columns={columns}
              rows={pixels}
              keyOf={({ id }) => id}
              openKey={openKey}
            />
          )
        }
      </Read>
      {isCreating && (
        <CreatePixel
          onClose={() => setCreating(false)}
          onCreated={({ id }) =>
            navigate({ to: "/pixels/$pixelId", params: { pixelId: id }, search: true })
          }
        />
      )}
    </Screen>
  )
}

interface CreatePixelProps {
  readonly onClose: () => void
  readonly onCreated?: (pixel: Pixel) => unknown
}

export const CreatePixel = ({ onClose, onCreated }: CreatePixelProps) => {
  const [domain, setDomain] = useState("")
  const [name, setName] = useState("")
  const create = useWrite({
    write: () =>
      footfall.pixels.create({
        domain: domain.trim(),
        ...(name.trim() !== "" && { name: name.trim() }),
      }),
    changes: [["pixels"], ["account"]],
    notice: (pixel) => ({ text: isolated`Added ${pixel.domain}` }),
    onDone: (pixel) => {
      onClose()
      return onCreated?.(pixel)
    },
  })
  return (
    <FormDialog
      title="Add a site"
      onClose={onClose}
      verb="Create"
      write={create}
      failure="The site was not added"
      onSubmit={() => create.mutate()}
    >
      <TextField
        label="Domain"
        hint="For example acme.example. Subdomains count as the same site."
        required
        autoFocus
        value={domain}
        onValue={setDomain}
      />
      <TextField label="Name (optional)" maxLength={255} value={name} onValue={setName} />
    </FormDialog>
  )
}

export default Pixels
