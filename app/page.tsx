export default function Page() {
  return (
    <main className="mx-auto max-w-3xl p-8">
      <h1 className="text-2xl font-semibold">Berth</h1>
      <p className="mt-2">The engine is up. Its console is being built.</p>
    </main>
  )
}
