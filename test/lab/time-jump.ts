// Preloaded into a manager whose test cannot wait that long. Each SIGUSR2 moves its monotonic clock five minutes.
// Running timers keep their time, as after a suspend.
const jumpMs = 5 * 60_000
const now = performance.now.bind(performance)
let ahead = 0
performance.now = () => now() + ahead
process.on('SIGUSR2', () => {
  ahead += jumpMs
})
