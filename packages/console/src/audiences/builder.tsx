// Creates or edits an audience: its segment, topics, scores and filters, next to how many people match.
import type { Audience, AudienceConfigParams, AudienceFilters } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { Histogram } from "../plots/histogram.tsx"
import { segmentQuery, segmentsOf } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { TopicChoice, type ChosenTopic } from "../topics/topic-choice.tsx"
import { ChoiceField, TextField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useWrite } from "../ui/use-write.ts"
import { Filters } from "./filters.tsx"
import { Preview, usePreview } from "./preview.tsx"
import "./audiences.css"

/** Per audience. spec 2.8 */
const topicsMax = 10

interface BuilderProps {
  /** The audience to edit; undefined for a new one. */
  readonly audience?: Audience
  readonly onClose: () => void
}

export const Builder = ({ audience, onClose }: BuilderProps) => {
  const navigate = useNavigate()
  const before = audience?.config
  const [name, setName] = useState(audience?.name ?? "")
  const [segmentId, setSegmentId] = useState(before?.segmentId ?? "")
  const [topics, setTopics] = useState<ReadonlyArray<ChosenTopic>>(before?.topics ?? [])
  const [minScore, setMinScore] = useState(String(before?.minScore ?? 70))
  const [maxScore, setMaxScore] = useState(String(before?.maxScore ?? 100))
  const [overlap, setOverlap] = useState(String(before?.minTopicOverlap ?? 1))
  const [filters, setFilters] = useState<AudienceFilters>(before?.filters ?? {})
  const hasTopics = topics.length > 0
  const isReady = hasTopics || segmentId !== ""
  const config: AudienceConfigParams = {
    segmentId: segmentId === "" ? null : segmentId,
    topicIds: topics.map(({ topicId }) => topicId),
    minScore: Number(minScore),
    maxScore: Number(maxScore),
    minTopicOverlap: Math.max(1, Math.min(Number(overlap), topics.length)),
    filters,
  }
  const save = useWrite({
    write: () =>
      audience === undefined
        ? footfall.audiences.create({ name: name.trim(), config })
        : footfall.audiences.update(audience.id, {
            name: name.trim(),
            config: { ...config, sourceUrl: audience.config.sourceUrl },
          }),
    changes: [["audiences"]],
    notice: (saved) => ({
      text:
        audience === undefined
          ? `Created audience ${saved.name} (draft)`
          : `Saved ${saved.name}. The change applies from the next run`,
    }),
    onDone: ({ id }) => {
      onClose()
      return navigate({ to: "/audiences/$audienceId", params: { audienceId: id }, search: true })
    },
  })
  return (
    <FormDialog
      title={audience === undefined ? "Create an audience" : `Edit ${audience.name}`}
      onClose={onClose}
      isWhole
      verb={audience === undefined ? "Create as a draft" : "Save"}
      write={save}
      failure="The audience was not saved"
      isReady={isReady}
      onSubmit={() => save.mutate()}
    >
      <div className="builder">
        <div>
          <div className="audience-name">
            <TextField
              label="Name"
              required
              maxLength={255}
              autoFocus
              value={name}
              onValue={setName}
            />
          </div>
          <Line head="Reads about">
            <TopicChoice
              topics={topics}
              onTopics={setTopics}
              max={topicsMax}
              hint={
                segmentId === ""
                  ? `What these people read about. Choose 1 to ${topicsMax} topics, or a view.`
                  : `Choose topics to keep only those who also read about them.`
              }
            />
            {topics.length > 1 && (
              <ChoiceField
                label="How many topics must match"
                choices={topics.map((_, index) => ({
                  value: String(index + 1),
                  text:
                    index === topics.length - 1 ? `All ${topics.length}` : `At least ${index + 1}`,
                }))}
                value={String(config.minTopicOverlap)}
                onValue={setOverlap}
              />
            )}
          </Line>
          {hasTopics && (
            <Line head="At least">
              <Scores config={config} onMinScore={(score) => setMinScore(String(score))} />
              <div className="two">
                <TextField
                  label="Minimum score"
                  type="number"
                  min={1}
                  max={100}
                  required
                  hint="From 1 to 100: how strong their interest is."
                  value={minScore}
                  onValue={setMinScore}
                />
                <TextField
                  label="Maximum score"
                  type="number"
                  min={1}
                  max={100}
                  required
                  value={maxScore}
                  onValue={setMaxScore}
                />
              </div>
            </Line>
          )}
          <Line head="And are">
            <SegmentChoice
              segmentId={segmentId}
              before={before?.segmentId ?? null}
              onSegmentId={setSegmentId}
            />
            <Filters filters={filters} onFilters={setFilters} />
          </Line>
          <Line head="But never">
            <p className="soft">Anyone who is suppressed. The count at the side leaves them out.</p>
          </Line>
        </div>
        {isReady && <Preview config={config} />}
      </div>
    </FormDialog>
  )
}

/** One part of the sentence that an audience is. */
const Line = ({ children, head }: { readonly children: ReactNode; readonly head: string }) => (
  <section className="audience-line" aria-label={head}>
    <h3>{head}</h3>
    <div className="stack">{children}</div>
  </section>
)

interface ScoresProps {
  readonly config: AudienceConfigParams
  readonly onMinScore: (score: number) => void
}

const Scores = ({ config, onMinScore }: ScoresProps) => {
  const { data } = usePreview(config)
  const scores = data?.explanation?.scores ?? []
  if (scores.length === 0) return null
  return (
    <Histogram
      label="Lowest score"
      scores={scores}
      value={config.minScore ?? 1}
      onValue={onMinScore}
    />
  )
}

interface SegmentChoiceProps {
  /** Empty without one. */
  readonly segmentId: string
  /** The segment of the saved audience. It may not be on the first page of segments. */
  readonly before: string | null
  readonly onSegmentId: (segmentId: string) => void
}

const SegmentChoice = ({ before, onSegmentId, segmentId }: SegmentChoiceProps) => {
  const { data: segments = [], isSuccess } = useQuery(segmentsOf("people"))
  const isListed = segments.some(({ id }) => id === before)
  const own = useQuery({
    ...segmentQuery(before ?? ""),
    enabled: before !== null && isSuccess && !isListed,
  })
  const listed = segments.map(({ id, name }) => ({ value: id, text: name }))
  const others =
    before === null || isListed ? [] : [{ value: before, text: own.data?.name ?? "A view" }]
  return (
    <ChoiceField
      label="View"
      choices={[{ value: "", text: "Everyone" }, ...listed, ...others]}
      value={segmentId}
      onValue={onSegmentId}
      hint="What these people did on your sites, and who they are."
    />
  )
}
