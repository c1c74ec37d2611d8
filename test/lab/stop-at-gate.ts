// Preloaded into a manager that is to stop at the worst moment. After a SIGUSR2 it stops itself at the last check
// before a call that changes something. When it continues, no timer has shown it the delay yet.
const now = performance.now.bind(performance)
let armed = false
performance.now = () => {
  if (armed && new Error('Who asks?').stack?.includes('refuseWhileHeld')) {
    armed = false
    process.kill(process.pid, 'SIGSTOP')
  }
  return now()
}
process.on('SIGUSR2', () => {
  armed = true
})
