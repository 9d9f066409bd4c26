// Getting started: five steps that complete by themselves. Each shows what it waits for and what is probably wrong.
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState, type ReactNode } from "react"
import { pixelsQuery } from "../frame/scope.tsx"
import { CreatePixel } from "../pixels/pixels.tsx"
import { Findings } from "../pixels/findings.tsx"
import { webhooksQuery } from "../queries.ts"
import { sole } from "../footprints/shapes.ts"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { Snippet } from "../ui/copy.tsx"
import { Screen } from "../ui/screen.tsx"
import { plural, Time } from "../ui/time.tsx"
import "./start.css"

/** How often to check while a step waits. */
const lookMs = 3_000

const Start = () => {
  const pixels = useQuery({
    ...pixelsQuery,
    refetchInterval: ({ state }) =>
      state.data?.some(({ lastEventAt }) => lastEventAt !== null) === true ? false : lookMs,
  })
  const hasEvent = pixels.data?.some(({ lastEventAt }) => lastEventAt !== null) ?? false
  const people = useQuery({
    queryKey: ["people", "first"],
    queryFn: async ({ signal }) =>
      (await footfall.visitors.list({ timeframe: "all", limit: 1 }, { signal })).meta.total,
    refetchInterval: ({ state }) => ((state.data ?? 0) > 0 ? false : lookMs),
    enabled: hasEvent,
  })
  const { canWrite } = useMe()
  const webhooks = useQuery({ ...webhooksQuery, enabled: canWrite })
  const pixel = pixels.data?.find(({ lastEventAt }) => lastEventAt !== null) ?? pixels.data?.[0]
  const peopleCount = people.data ?? 0
  return (
    <Screen title="Getting started" isTitleSmall>
      <p className="lead">{leadOf(pixel?.domain, hasEvent, peopleCount)}</p>
      <ol className="steps">
        <Step number={1} title="Add a site" isDone={pixel !== undefined}>
          {pixel === undefined ? <CreateStep /> : <p className="soft">For {pixel.domain}.</p>}
        </Step>
        <Step number={2} title="Add the tag to your site" isDone={hasEvent}>
          {pixel !== undefined && !hasEvent && <TagStep pixelId={pixel.id} />}
        </Step>
        <Step number={3} title="See the first event" isDone={hasEvent}>
          {pixel !== undefined && !hasEvent && (
            <>
              <Waits>Waiting for the first page view from {pixel.domain}…</Waits>
              {canWrite && <Findings pixelId={pixel.id} />}
            </>
          )}
          {hasEvent && (
            <p className="soft">
              Last event <Time at={pixel?.lastEventAt ?? null} />.
            </p>
          )}
        </Step>
        <Step number={4} title="Meet the first person" isDone={peopleCount > 0}>
          {peopleCount > 0 ? (
            <p>
              <Link to="/people" search={true}>
                {plural(peopleCount, "person", "people")}
              </Link>
            </p>
          ) : (
            <p className="soft">
              {hasEvent && "Waiting for the first person… "}A visitor becomes a person by giving an
              email address: in a form, through <code>footfall.identify()</code>, or by clicking a
              link in your email.
            </p>
          )}
          {hasEvent && peopleCount === 0 && <Snippet text={identifyLines} label="identify call" />}
          {pixel !== undefined && peopleCount === 0 && (
            <p className="soft">
              If you use RB2B, a form or a booking calendar,{" "}
              <Link to="/pixels/inbound" search={{}}>
                let it send people here
              </Link>
              .
            </p>
          )}
        </Step>
        <Step
          number={5}
          title="Send people to where you work"
          isDone={(webhooks.data?.length ?? 0) > 0}
        >
          {webhooks.data?.length === 0 && (
            <p>
              <Link to="/webhooks" search={true}>
                Create an alert
              </Link>{" "}
              <span className="soft">that tells you about every known person.</span>
            </p>
          )}
        </Step>
      </ol>
      <p className="soft">
        Next: choose{" "}
        <Link to="/topics" search={true}>
          topics
        </Link>{" "}
        and build an{" "}
        <Link to="/audiences" search={true}>
          audience
        </Link>{" "}
        of people who research them, also of those who never visited.
      </p>
    </Screen>
  )
}

const leadOf = (domain: string | undefined, hasEvent: boolean, people: number): string => {
  if (domain === undefined) return "Five steps, and you see who comes by."
  if (!hasEvent) return `Waiting for the first step on ${domain}`
  return people === 0 ? `Someone is on ${domain}. Who is it?` : `${domain} is being read.`
}

/** For the page that someone reaches after they signed in or sent a form. */
const identifyLines = `footfall.identify("jane@acme.example", {
  firstName: "Jane",
  lastName: "Doe",
  companyName: "Acme",
})`

interface StepProps {
  readonly number: number
  readonly title: string
  readonly isDone: boolean
  readonly children: ReactNode
}

const Step = ({ number, title, isDone, children }: StepProps) => (
  <li className="step-of-guide" data-done={isDone}>
    <svg className="step-mark" viewBox="0 0 44 40" width="44" height="40" aria-hidden="true">
      <path
        d={sole}
        transform={
          number % 2 === 1
            ? "translate(12 20) rotate(-4) scale(-1.5 1.8) translate(-5 -9)"
            : "translate(30 20) rotate(4) scale(1.5 1.8) translate(-5 -9)"
        }
      />
    </svg>
    <div className="stack">
      <h2>
        {title}
        {isDone && <span className="hidden"> (done)</span>}
      </h2>
      {children}
    </div>
  </li>
)

const CreateStep = () => {
  const { canWrite } = useMe()
  const [isOpen, setOpen] = useState(false)
  if (!canWrite) return <p className="soft">A member, admin or owner can create one.</p>
  return (
    <div>
      <Button kind="primary" onClick={() => setOpen(true)}>
        Add a site
      </Button>
      {isOpen && <CreatePixel onClose={() => setOpen(false)} />}
    </div>
  )
}

const TagStep = ({ pixelId }: { readonly pixelId: string }) => {
  const { data } = useQuery({
    queryKey: ["pixels", pixelId],
    queryFn: ({ signal }) => footfall.pixels.get(pixelId, { signal }),
  })
  const [way, setWay] = useState<Way>("HTML")
  if (data === undefined) return null
  return (
    <>
      <div className="row" role="group" aria-label="How your site is built">
        {ways.map((each) => (
          <Button key={each} kind="plain" aria-pressed={each === way} onClick={() => setWay(each)}>
            {each}
          </Button>
        ))}
      </div>
      {way === "Segment" ? (
        <p className="soft">
          Segment and RudderStack need no tag. Create a write key on{" "}
          <Link to="/pixels/$pixelId" params={{ pixelId }} search={true}>
            the page of the pixel
          </Link>
          , which shows the lines for your source.
        </p>
      ) : (
        <>
          <p className="soft">{instructions[way]}</p>
          <Snippet text={data.code} label="tag" />
        </>
      )}
    </>
  )
}

const ways = ["HTML", "Tag Manager", "Next.js", "WordPress", "Segment"] as const
type Way = (typeof ways)[number]

const instructions: Readonly<Record<Exclude<Way, "Segment">, ReactNode>> = {
  HTML: "Paste it in the <head> of every page.",
  "Tag Manager":
    "Create a tag of type Custom HTML, paste it, choose the trigger All Pages, and publish.",
  "Next.js":
    "Put it in the <head> of app/layout.tsx, or use the Script component with the same URL.",
  WordPress: "Paste it in the header of your theme, or in a plugin for header scripts.",
}

const Waits = ({ children }: { readonly children: ReactNode }) => (
  <p className="waits" role="status">
    {children}
  </p>
)

export default Start
