/**
 * Files and commands that a final message speaks of. Evidence first: what the ledger knows is looked for by name; words
 * decide only whether a name the ledger does not know was claimed at all.
 */

export type Said = { files: string[]; commands: string[] };

const MOST = 200;
const READ = 262_144;

const SPAN = /`([^`\n]{1,300})`|\]\(([^)\s]{1,300})\)|(?<![\w/.@-])((?:\.?[\w@-][\w.@-]*\/)+[\w@-][\w.@-]*\.\w{1,8})/g;
const PROGRAM =
  /^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npm|npx|pnpm|yarn|bunx?|node|deno|tsx|tsc|pytest|python[\d.]*|pip|uv|poetry|tox|cargo|go|make|cmake|ctest|mvnw?|gradlew?|\.\/[\w./-]+|dotnet|eslint|biome|prettier|ruff|mypy|jest|vitest|mocha|rake|bundle|rspec|phpunit|composer|swift|bazel|git|docker|kubectl|helm|terraform|ruby|php|perl|bash|sh|just|task|mix|sbt|lein|touchstone)\b(?: |$)/;

/** Told as done, in a dozen languages; a stem each, because endings vary. */
const CHANGED =
  /\b(?:add(?:ed|s)|creat(?:ed|es)|updat(?:ed|es)|modif(?:ied|ies)|chang(?:ed|es)|edit(?:ed|s)|fix(?:ed|es)|rewr(?:ote|itten)|refactor(?:ed|s)|remov(?:ed|es)|delet(?:ed|es)|renam(?:ed|es)|implement(?:ed|s)|wrote|written|moved|extended|replaced|adjusted|introduced|geändert|hinzugefügt|erstellt|angepasst|entfernt|gelöscht|aktualisiert|ergänzt|umbenannt|modifié|ajouté|créé|supprimé|corrigé|mis à jour|modifi(?:qué|cado|cato)|añad|agreg|cread|creat[oa]|eliminad|eliminat|actualizad|atualiz|adicion|alterad|aggiunt|aggiornat|gewijzigd|toegevoegd|aangemaakt|verwijderd|zmieni|doda|utworz|usuni)|измен|добав|создан|удал|обнов|исправ|変更|追加|修正|更新|削除|作成|実装|修改|添加|新增|更新|删除|创建|实现|수정|추가|삭제|변경|생성|구현|değiştir|ekle|oluştur|sil/i;
const RAN =
  /\b(?:ran|re-?ran|executed|(?:was|were|been|have|had|i've) run|ausgeführt|laufen lassen|exécut|lancé|ejecut|corrí|esegu|execut|uitgevoerd|uruchom)|запуст|выполн|実行|走らせ|运行|执行|跑了|실행|돌렸|çalıştır/i;
const NOT =
  /\b(?:not|n't|never|without|un(?:changed|touched|modified)|no changes?|would|should|could|can|will|please|todo|next|if|must|need|nicht|kein|ohne|sans|aucun|pas|sin|ningún|não|sem|non|senza|niet|geen|nie|bez)\b|n't\b|\bне\b|без|しない|せず|なし|ません|没有|未|不|않|없|못|değil/i;

export function saidIn(message: string, known: { changed: ReadonlySet<string>; commands: readonly string[] }): Said {
  const said = { files: new Set<string>(), commands: new Set<string>() };
  let lead = '';
  let fenced = false;
  for (const line of lines(message)) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      fenced = !fenced;
      continue;
    }
    if (fenced) continue;
    // "Changed files:" speaks for the list below it.
    const item = /^\s*(?:[-*+]|\d+[.)]|\|)\s/.test(line);
    if (!item && line.trim() !== '') lead = /[:：]\s*\**\s*$|^#/.test(line) ? line : '';
    const words = item && lead !== '' ? `${lead} ${line}` : line;
    const bare = words.replace(/`[^`]*`/g, ' ');
    const denied = NOT.test(bare);
    for (const match of line.matchAll(SPAN)) {
      if (said.files.size >= MOST || said.commands.size >= MOST) break;
      const span = (match[1] ?? match[2] ?? match[3])!.trim();
      const changed = changedName(span, known.changed);
      if (changed !== null) {
        if (!denied) said.files.add(span);
      } else if (match[1] !== undefined && isCommand(span)) {
        const ran = known.commands.some(command => command.includes(span.replace(/^\$ /, '')));
        if (!denied && (RAN.test(bare) || (ran && /[✓✔✅]/u.test(line)))) said.commands.add(span);
      } else if (isPath(span) && !denied && CHANGED.test(bare)) said.files.add(span);
    }
  }
  return { files: [...said.files], commands: [...said.commands] };
}

function lines(message: string): string[] {
  const text = message.length <= READ ? message : `${message.slice(0, READ / 2)}\n${message.slice(-READ / 2)}`;
  return text.split('\n').map(line => line.slice(0, 2000));
}

const isCommand = (span: string): boolean => PROGRAM.test(span) && !/^\.\/[\w./-]+\.\w{1,5}$/.test(span);

function isPath(span: string): boolean {
  return (
    /^(?:\.{0,2}\/)?(?:[\w@.-]+\/)*[\w@.-]+\.\w{1,8}(?::\d+(?:[-:]\d+)?)?$/.test(span) &&
    /[/]|\.[a-z]{1,5}\b/i.test(span) &&
    !/^\d|^v?\d+\.\d/.test(span) &&
    !/^[\w-]+\.(?:\w+)\(\)?$/.test(span) &&
    (span.includes('/') || KNOWN_END.test(span))
  );
}

/** A bare word with a dot is more often a method than a file. */
const KNOWN_END =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|cc|cpp|h|hpp|cs|php|sh|md|json|ya?ml|toml|html?|css|scss|sql|vue|svelte|txt|xml|lock|cfg|ini|env)(?::\d.*)?$/;

/** The changed file a name stands for: its path, the end of its path, or its only base name. */
export function changedName(span: string, changed: ReadonlySet<string>): string | null {
  const name = span.replace(/:\d+(?:[-:]\d+)?$/, '').replace(/^(?:\.\/)+/, '');
  if (name === '') return null;
  if (changed.has(name)) return name;
  const ends: string[] = [];
  for (const path of changed) if (path.endsWith(`/${name}`) || name.endsWith(`/${path}`)) ends.push(path);
  return ends.length === 1 ? ends[0]! : null;
}
