import type { WordList, WordLists } from './word-lists.ts';

/** Returns the script for PowerShell 5.1 and later. */
export function powershellScript(lists: WordLists): string {
  return `# Completion of plat for PowerShell; made by: plat completion powershell
Register-ArgumentCompleter -Native -CommandName plat -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $commands = ${table(lists.commands)}
    $options = ${table(lists.options)}
    $arguments = ${table(lists.arguments)}
    $values = ${table(lists.values)}
    $globalOptions = ${quoted(lists.globalOptions.join(' '))}
${COMPLETE}`;
}

function table(lists: readonly WordList[]): string {
  const rows = lists.flatMap(({ places, words }) =>
    places.map((place) => `        ${quoted(place)} = ${quoted(words.join(' '))}`),
  );
  return `@{\n${rows.join('\n')}\n    }`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

const COMPLETE = `    $at = ''
    $option = ''
    $typed = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
    foreach ($word in ($typed | Select-Object -Skip 1)) {
        if ($option) { $option = '' }
        elseif ($word -eq '--') { return }
        elseif ($word -like '--*=*') { continue }
        elseif ($word -like '-*') { if ($values["$at|$word"] -or $values["*|$word"]) { $option = $word } }
        elseif ($word -ne 'help' -and ("$($commands[$at])" -split ' ') -contains $word) { $at = "$at $word".Trim() }
    }
    $current = $wordToComplete
    $before = ''
    if (-not $option -and $current -like '--*=*') {
        $option, $current = $current -split '=', 2
        $before = "$option="
    }
    if ($option) {
        $found = $values["$at|$option"]
        if (-not $found) { $found = $values["*|$option"] }
        $kind, $words = "$found" -split ' '
        if ($kind -eq 'any') { return }
        if ($kind -eq 'list' -and $current -like '*,*') {
            $before += $current.Substring(0, $current.LastIndexOf(',') + 1)
            $current = $current.Substring($current.LastIndexOf(',') + 1)
        }
    }
    elseif ($current -like '-*') { $words = "$($options[$at]) $globalOptions" -split ' ' }
    else { $words = "$($commands[$at]) $($arguments[$at])" -split ' ' }
    $words | Where-Object { $_ -and $_.StartsWith($current) } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new("$before$_", $_, 'ParameterValue', $_)
    }
}
`;
