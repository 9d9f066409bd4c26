// Describes where a person's data comes from.
import type { AddressOrigin, Origin, Pixel, VisitorOrigins } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { pixelsQuery } from "../frame/scope.ts"
import { footfall } from "../session/session.ts"
import { Time } from "../ui/time.tsx"

/** Undefined while it loads. The person is shown without it. */
export const useOrigins = (visitorId: string): VisitorOrigins | undefined =>
  useQuery({
    queryKey: ["person", visitorId, "origins"],
    queryFn: ({ signal }) => footfall.visitors.origins(visitorId, { signal }),
  }).data

const words: Readonly<Record<Origin, string>> = {
  visit: "from a visit",
  import: "from an import",
  shared_import: "from a shared import",
  identity_link: "from an identity link",
  resolver: "from the resolver",
  email_domain: "from the email address",
}

const ways = {
  identify: "from an identify call",
  form: "from a form",
  mail_link: "from a link in an email",
} as const

interface ValueSourceProps {
  readonly origins: VisitorOrigins | undefined
  /** The fields behind the value shown. The first one that has a value counts. */
  readonly fields: ReadonlyArray<string>
}

export const ValueSource = ({ fields, origins }: ValueSourceProps) => {
  const found = origins?.values.find(({ field }) => fields.includes(field))
  return found === undefined ? null : <span className="soft small"> {words[found.origin]}</span>
}

interface AddressSourceProps {
  readonly origins: VisitorOrigins | undefined
  readonly email: string
  /** The kind of the address in words; empty if it has none. */
  readonly kind: string
}

export const AddressSource = ({ email, kind, origins }: AddressSourceProps) => {
  const { data: pixels = [] } = useQuery(pixelsQuery)
  const found = origins?.addresses.find((address) => address.email === email)
  if (found === undefined) return <span className="soft small">{kind}</span>
  return (
    <span className="soft small">
      {kind !== "" && `${kind} · `}
      {addressWords(found, pixels)}
      {found.firstSeenAt !== null && (
        <>
          , <Time at={found.firstSeenAt} />
        </>
      )}
    </span>
  )
}

const addressWords = (
  { origin, pixelId, way }: AddressOrigin,
  pixels: ReadonlyArray<Pixel>,
): string => {
  const site = pixels.find(({ id }) => id === pixelId)?.domain
  const source = way === null ? words[origin] : ways[way]
  return site === undefined ? source : `${source} on ${site}`
}
