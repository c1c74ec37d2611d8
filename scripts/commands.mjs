/**
 * The commands of `npm run <name>`. Each is a program for Node 24. A user's arguments come after its own.
 *
 * @type {Record<string, { what: string, run: [file: string, ...args: string[]] }>}
 */
export const commands = {
  demo: {
    what: 'A management cluster on this machine, and on each of four simulated clouds a MachineDeployment of spot workers.',
    run: ['scripts/demo.ts'],
  },
  test: { what: 'Every test, on a real kube-apiserver and the real Cluster API core.', run: ['scripts/test.ts'] },
  check: {
    what: 'What a change must pass: generated files, types, lint, format, unit tests; with --static all but the tests.',
    run: ['scripts/check.ts'],
  },
  fix: { what: 'Formats, mends what lint can mend, and generates what comes from crds/.', run: ['scripts/fix.ts'] },
  build: { what: 'The manager and the agent as they ship, into out/manager and out/agent.', run: ['scripts/build.ts'] },
  release: {
    what: 'What clusterctl installs, into out/infrastructure-spot, e.g. npm run release -- v0.1.0 --image NAME:TAG.',
    run: ['scripts/release.ts'],
  },
  bench: {
    what: 'Calls, machines a second and memory of the manager as it ships, e.g. npm run bench -- provision --machines 100.',
    run: ['test/bench/main.ts'],
  },
  chaos: {
    what: "Kills the manager at every point of a machine's life and counts what that came to, e.g. npm run chaos -- --cloud gcp.",
    run: ['test/chaos/main.ts'],
  },
  upstream: {
    what: "How many templates of the clouds' own providers are accepted here, e.g. npm run upstream -- FOLDER.",
    run: ['test/upstream/main.ts'],
  },
  generate: {
    what: 'Types from crds/, and the pages of docs/; with --check it only compares.',
    run: ['scripts/generate.ts'],
  },
  manager: { what: 'The manager, e.g. npm run manager -- --kubeconfig FILE.', run: ['controllers/main.ts'] },
  simulators: {
    what: 'Simulated clouds by themselves, e.g. npm run simulators -- --only aws --port 8080.',
    run: ['test/simulators/main.ts'],
  },
}

/** One line for each command, for the terminal. */
export function listOfCommands() {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  const lines = Object.entries(commands).map(([name, { what }]) => `  npm run ${name.padEnd(width)}  ${what}`)
  return `Commands:\n${lines.join('\n')}\n`
}
