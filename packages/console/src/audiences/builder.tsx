// Creates or edits an audience: its topics, scores and filters, next to how many people match.
import type { Audience, AudienceConfigParams, AudienceFilters } from "@footfall/sdk"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { TopicChoice, type ChosenTopic } from "../topics/topic-choice.tsx"
import { ChoiceField, TextField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useWrite } from "../ui/use-write.ts"
import { Filters } from "./filters.tsx"
import { Preview } from "./preview.tsx"
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
  const [topics, setTopics] = useState<ReadonlyArray<ChosenTopic>>(before?.topics ?? [])
  const [minScore, setMinScore] = useState(String(before?.minScore ?? 70))
  const [maxScore, setMaxScore] = useState(String(before?.maxScore ?? 100))
  const [overlap, setOverlap] = useState(String(before?.minTopicOverlap ?? 1))
  const [filters, setFilters] = useState<AudienceFilters>(before?.filters ?? {})
  const config: AudienceConfigParams = {
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
      isWide
      verb={audience === undefined ? "Create as a draft" : "Save"}
      write={save}
      failure="The audience was not saved"
      isReady={topics.length > 0}
      onSubmit={() => save.mutate()}
    >
      <div className="builder">
        <div className="stack">
          <TextField
            label="Name"
            required
            maxLength={255}
            autoFocus
            value={name}
            onValue={setName}
          />
          <TopicChoice
            topics={topics}
            onTopics={setTopics}
            max={topicsMax}
            hint={`What these people read about. Choose 1 to ${topicsMax} topics.`}
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
          <Filters filters={filters} onFilters={setFilters} />
        </div>
        {topics.length > 0 && <Preview config={config} />}
      </div>
    </FormDialog>
  )
}
