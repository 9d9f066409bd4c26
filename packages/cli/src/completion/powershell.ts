// Completion for PowerShell 5.1 and newer, as one script. It only calls the program for profile names.

import { byChoices, valuedOptions } from "./bash.ts"
import type { Place, Word } from "./words.ts"

/** The script. PowerShell completes file names if it offers nothing. */
export const powershellScript = (
  places: ReadonlyArray<Place>,
): string => `# PowerShell completion for footfall
Register-ArgumentCompleter -Native -CommandName footfall -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $commands = @{
${entries(places, ({ commands }) => commands, described)}
    }
    $options = @{
${entries(places, ({ options }) => options, described)}
    }
    $valued = @{
${entries(places, valuedOptions, listed)}
    }
    $values = @{
${entries(places, ({ values }) => values, listed)}
    }
    $choices = @{
${byChoices(places)
  .flatMap(([choices, at]) =>
    at.map((one) => `        ${quoted(one)} = ${listed(choices.split(" "))}`),
  )
  .join("\n")}
    }
    $at = ''
    $before = ''
    foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
        if ($element.Extent.EndOffset -ge $cursorPosition) { break }
        $word = $element.Extent.Text
        if ($before) { $before = '' }
        elseif ($valued[$at] -ccontains $word) { $before = $word }
        elseif ($commands[$at] -and $commands[$at].Contains($word)) { $at = "$at $word".Trim() }
    }
    $prefix = ''
    if (-not $before -and $wordToComplete -match '^(--[^=]+)=') {
        $before = $Matches[1]
        $prefix = "$before="
    }
    $offered = [ordered]@{}
    if ($before -eq '--profile') {
        $profiles = footfall profiles list --json 2>$null | Out-String | ConvertFrom-Json
        foreach ($one in $profiles.data) { $offered[$one.name] = $one.baseUrl }
    }
    elseif ($before) {
        foreach ($word in @($choices["$at $before"]) + @($choices["* $before"])) {
            if ($word) { $offered[$word] = $word }
        }
    }
    elseif ($wordToComplete.StartsWith('-')) { $offered = $options[$at] }
    elseif ($commands[$at]) { $offered = $commands[$at] }
    else { foreach ($word in $values[$at]) { $offered[$word] = $word } }
    foreach ($word in $offered.Keys) {
        $text = "$prefix$word"
        if ($text.StartsWith($wordToComplete)) {
            [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $offered[$word])
        }
    }
}
`

/** One line for each place that has items. */
const entries = <Item>(
  places: ReadonlyArray<Place>,
  of: (place: Place) => ReadonlyArray<Item>,
  write: (items: ReadonlyArray<Item>) => string,
): string =>
  places
    .filter((place) => of(place).length > 0)
    .map((place) => `        ${quoted(place.path)} = ${write(of(place))}`)
    .join("\n")

/** Words with their descriptions, which PowerShell shows next to them. */
const described = (words: ReadonlyArray<Word>): string =>
  `[ordered]@{ ${words.map(({ does, text }) => `${quoted(text)} = ${quoted(does)}`).join("; ")} }`

const listed = (words: ReadonlyArray<string>): string => `@(${words.map(quoted).join(", ")})`

/** One string with any content. PowerShell treats typographic quotes like plain ones. */
const quoted = (text: string): string => `'${text.replace(/['\u2018-\u201B]/g, "$&$&")}'`
