// Preloaded into a manager whose test cannot wait that long: each SIGUSR2 takes its monotonic clock five minutes on.
// Timers that run already keep their time, as they do when a machine was suspended.
const jumpMs = 5 * 60_000
const now = performance.now.bind(performance)
let ahead = 0
performance.now = () => now() + ahead
process.on('SIGUSR2', () => {
  ahead += jumpMs
})
