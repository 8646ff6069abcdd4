/** Programs that run a file they are given, and text where an option says so. */
const interpreters: ReadonlySet<string> = new Set(
  "sh bash zsh dash ksh ash csh tcsh fish node python pypy perl ruby php lua tclsh rscript pwsh osascript".split(
    " ",
  ),
);

/** Programs that run others, or write any file, as their arguments say. */
const launchers: ReadonlySet<string> = new Set(
  [
    "env xargs parallel sudo doas su runuser nohup setsid stdbuf time timeout nice ionice chrt taskset chroot unshare",
    "nsenter watch flock script screen tmux at batch strace ltrace gdb eval exec command busybox toybox find fd awk gawk",
    "mawk nawk sed tar zip rsync ssh scp sftp curl wget git hg svn make gmake cmake ninja gcc clang cargo go mvn gradle",
    "deno bun bunx npx npm pnpm yarn corepack pip pipx uv uvx gem bundle composer docker podman kubectl helm systemctl",
    "systemd-run crontab vi vim nvim view ed ex emacs less more man sort split sqlite psql mysql openssl",
  ].flatMap((line) => line.split(" ")),
);

/** Tells whether a program with free arguments after its first ones can be made to run others or to write any file. */
export function isLauncher(program: string, first: readonly string[]): boolean {
  const name = nameOf(program);
  if (!interpreters.has(name)) return launchers.has(name);
  const [script = ""] = first;
  // What follows a script belongs to the script.
  return script.startsWith("-") || !/[./]/.test(script);
}

/** The name without its folder and its version. */
function nameOf(program: string): string {
  const file = program.slice(program.lastIndexOf("/") + 1).toLowerCase();
  return file.replace(/\.exe$/, "").replace(/(?<=[a-z])[-.]?\d[\d.]*$/, "");
}
