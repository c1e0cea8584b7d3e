// Keeps a practice's appointment book and the service in sync, both ways. .NET 8 or newer, no packages:
//
//   API_URL=https://… API_KEY=svc_…
//   connector import visits.json            once, before anything else
//   ENDPOINT_ID=… connector                 reads the queue of a pull endpoint
//   WEBHOOK_SECRET=whsec_… connector        receives events at /hook: let a proxy with TLS pass on this path alone
//
// Your software sends its changes to http://127.0.0.1:8090 (PORT): POST /visits, PATCH /visits/ID, GET /book.
// STATE_FILE (connector.jsonl) is the book. In your software, the five tables below are tables of its database.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Threading;
using System.Threading.Tasks;

public static class Connector
{
    const int MaxBodyBytes = 256 * 1024;
    static readonly TimeSpan CatchUpEvery = TimeSpan.FromHours(1);

    static readonly string ApiUrl = Setting("API_URL"), ApiKey = Setting("API_KEY");
    static readonly string EndpointId = Setting("ENDPOINT_ID"), WebhookSecret = Setting("WEBHOOK_SECRET");
    static readonly string StateFile = Setting("STATE_FILE", "connector.jsonl"), Port = Setting("PORT", "8090");

    static readonly HttpClient Http = new() { Timeout = TimeSpan.FromSeconds(60) };

    // Guards the tables and what is not committed yet.
    static readonly object Gate = new();
    // Appointments by id.
    static readonly SortedDictionary<string, JsonNode> Book = NewTable();
    // Changes of yours that the service has not responded to yet, in their order: key, id, version and body.
    static readonly SortedDictionary<string, JsonNode> Wishes = NewTable();
    // Messages for staff.
    static readonly SortedDictionary<string, JsonNode> ForTheDesk = NewTable();
    // Versions that the book has, by appointment.
    static readonly SortedDictionary<string, JsonNode> ToAcknowledge = NewTable();
    // How far the lists and the queue were read.
    static readonly SortedDictionary<string, JsonNode> Progress = NewTable();
    static readonly Dictionary<string, SortedDictionary<string, JsonNode>> Tables = new()
    {
        ["book"] = Book, ["wishes"] = Wishes, ["forTheDesk"] = ForTheDesk, ["toAcknowledge"] = ToAcknowledge,
        ["progress"] = Progress,
    };
    static JsonArray changes = new();
    static readonly SemaphoreSlim Work = new(1);

    static async Task<int> Main(string[] args)
    {
        bool isImport = args.FirstOrDefault() == "import";
        if (ApiUrl == "" || ApiKey == "" || (!isImport && (EndpointId == "") == (WebhookSecret == "")))
        {
            Console.Error.WriteLine("Set API_URL, API_KEY and either ENDPOINT_ID (pull) or WEBHOOK_SECRET (push).");
            return 2;
        }
        Load();
        if (isImport)
        {
            await ImportAll(JsonNode.Parse(File.ReadAllText(args[1]))!.AsArray());
            return 0;
        }
        var listening = Serve();
        await CatchUp();
        var loops = new List<Task> { listening, SendChanges(), CatchUpEveryHour() };
        if (EndpointId != "") loops.Add(ReadQueue());
        await await Task.WhenAny(loops);
        return 1;
    }

    static string Setting(string name, string fallback = "") => Environment.GetEnvironmentVariable(name) ?? fallback;

    static SortedDictionary<string, JsonNode> NewTable() => new(StringComparer.Ordinal);

    static void Put(string table, string key, JsonNode? row)
    {
        if (row == null) Tables[table].Remove(key);
        else Tables[table][key] = row.DeepClone();
        changes.Add(new JsonArray(table, key, row?.DeepClone()));
    }

    /// <summary>Writes what was put since the last commit as one line: a crash leaves all of it or nothing.</summary>
    static void Commit()
    {
        if (changes.Count == 0) return;
        try
        {
            using var file = new FileStream(StateFile, FileMode.Append);
            file.Write(Encoding.UTF8.GetBytes(changes.ToJsonString() + "\n"));
            file.Flush(flushToDisk: true);
        }
        catch (Exception problem)
        {
            // Half a line may be there, which only the next start leaves out.
            Environment.FailFast("The book cannot be written.", problem);
        }
        changes = new JsonArray();
    }

    static void Load()
    {
        string text = File.Exists(StateFile) ? File.ReadAllText(StateFile) : "";
        // A crash can cut off the last line: it was not committed.
        foreach (string line in text.Split('\n').SkipLast(1))
            foreach (var change in JsonNode.Parse(line)!.AsArray())
                Put((string)change![0]!, (string)change[1]!, change[2]);
        changes = new JsonArray();
        foreach (var (name, table) in Tables)
            foreach (var (key, row) in table)
                changes.Add(new JsonArray(name, key, row.DeepClone()));
        File.WriteAllText(StateFile + ".new", "");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(StateFile + ".new", UnixFileMode.UserRead | UnixFileMode.UserWrite);
        File.WriteAllText(StateFile + ".new", changes.ToJsonString() + "\n");
        File.Move(StateFile + ".new", StateFile, overwrite: true);
        changes = new JsonArray();
    }

    /// <summary>Someone at the practice books.</summary>
    static void WishFor(JsonObject visit)
    {
        var body = new JsonObject { ["source"] = "sync_external", ["externalId"] = Guid.NewGuid().ToString() };
        foreach (var (name, value) in visit) body[name] = value?.DeepClone();
        lock (Gate)
        {
            AddWish(null, null, body);
            Commit();
        }
    }

    /// <summary>Someone at the practice changes an appointment as the book shows it.</summary>
    static void WishToChange(string id, JsonObject body)
    {
        lock (Gate)
        {
            int? version = Book.TryGetValue(id, out var known) ? (int)known["version"]! : null;
            AddWish(id, version, body);
            Commit();
        }
    }

    static void AddWish(string? id, int? version, JsonObject body)
    {
        // Keys are sent in their order, and a repeat with the same key returns the first response again.
        long last = Wishes.Count == 0 ? 0 : long.Parse(Wishes.Keys.Last()[..19], CultureInfo.InvariantCulture);
        string key = $"{Math.Max(last + 1, DateTime.UtcNow.Ticks):D19}-{Guid.NewGuid():N}";
        var wish = new JsonObject { ["key"] = key, ["id"] = id, ["version"] = version, ["body"] = body.DeepClone() };
        Put("wishes", key, wish);
    }

    /// <summary>Stores an appointment, unless the book has the same or a newer version.</summary>
    static void Take(JsonNode appointment)
    {
        string id = (string)appointment["id"]!;
        int version = (int)appointment["version"]!;
        if (Book.TryGetValue(id, out var known) && (int)known["version"]! >= version) return;
        Put("book", id, appointment);
        bool isOwn = (string?)appointment["source"] == "sync_external" && version == 1;
        if (!isOwn) Put("toAcknowledge", id, JsonValue.Create(version));
        bool isToBeNumbered(JsonNode wish) =>
            (string?)wish["id"] == id && wish["body"]!.AsObject().ContainsKey("externalId");
        bool isNumbered = appointment["externalId"] != null || Wishes.Values.Any(isToBeNumbered);
        // Someone else booked it: give it your ID, whatever happens to it later.
        if (!isNumbered && (string?)appointment["status"] == "confirmed")
            AddWish(id, null, new JsonObject { ["externalId"] = Guid.NewGuid().ToString() });
    }

    /// <summary>An event with a valid signature, or from the queue. Return 2xx after this.</summary>
    static void Receive(JsonNode received)
    {
        lock (Gate)
        {
            foreach (string shown in new[] { "appointment", "original", "replacement" })
                if (received["data"]?[shown] is JsonObject appointment) Take(appointment);
            Commit();
        }
    }

    /// <summary>The first import: everything that the book had before. Run it again until it ends.</summary>
    static async Task ImportAll(JsonArray visits)
    {
        foreach (var chunk in visits.Chunk(500))
        {
            var items = new JsonArray(chunk.Select(each => each?.DeepClone()).ToArray());
            var body = new JsonObject { ["items"] = items };
            var (isDone, answer) = await Send(HttpMethod.Post, "/v1/appointments/import", body);
            if (!isDone) throw new InvalidOperationException((string?)answer["message"]);
            lock (Gate)
            {
                foreach (var item in answer["items"]!.AsArray())
                {
                    string visit = (string)item!["externalId"]!;
                    if ((string?)item["result"] != "refused") continue;
                    Put("forTheDesk", visit, JsonValue.Create((string?)item["error"] + ": " + visit));
                }
                Commit();
            }
        }
    }

    static T? First<T>(SortedDictionary<string, JsonNode> table, Func<string, JsonNode, T> read)
        where T : class
    {
        lock (Gate)
        {
            foreach (var (key, row) in table) return read(key, row.DeepClone());
            return null;
        }
    }

    /// <summary>Sends the wishes, in order, then the acknowledgements.</summary>
    static async Task Push()
    {
        while (First(Wishes, (_, row) => row) is { } wish)
        {
            string key = (string)wish["key"]!;
            string? id = (string?)wish["id"];
            string path = id == null ? "/v1/appointments" : $"/v1/appointments/{id}";
            var method = id == null ? HttpMethod.Post : HttpMethod.Patch;
            var (isDone, answer) = await Send(method, path, wish["body"], key, (int?)wish["version"]);
            string? error = isDone ? null : (string?)answer["error"];
            bool isThere = isDone || (error == "already_booked" && answer["appointment"] != null);
            JsonNode? current = null;
            if (!isThere && id != null)
            {
                var (isFound, found) = await Send(HttpMethod.Get, path);
                if (isFound) current = found;
            }
            lock (Gate)
            {
                if (isThere) Follow(wish, isDone ? answer : answer["appointment"]!);
                // The service keeps its appointment: the book follows, and the desk decides again.
                else Put("forTheDesk", key, JsonValue.Create(error + ": " + (string?)answer["message"]));
                if (current != null) Take(current);
                Put("wishes", key, null);
                Commit();
            }
        }
        while (First(ToAcknowledge, (key, row) => Tuple.Create(key, (int)row)) is { } written)
        {
            var (id, version) = written;
            var body = new JsonObject { ["version"] = version, ["state"] = "written" };
            var (isDone, answer) = await Send(HttpMethod.Put, $"/v1/appointments/{id}/acknowledgement", body);
            lock (Gate)
            {
                if (!isDone)
                    Put("forTheDesk", id, JsonValue.Create((string?)answer["error"] + ": " + (string?)answer["message"]));
                if ((int)ToAcknowledge[id] == version) Put("toAcknowledge", id, null);
                Commit();
            }
        }
    }

    /// <summary>Book and later wishes continue with the appointment's new version or replacement.</summary>
    static void Follow(JsonNode wish, JsonNode appointment)
    {
        var now = appointment["replacement"] ?? appointment;
        foreach (var later in Wishes.Values.ToList())
        {
            bool isOfSame = wish["id"] != null && (string?)later["id"] == (string?)wish["id"];
            if (!isOfSame || (string?)later["key"] == (string?)wish["key"]) continue;
            var changed = later.DeepClone();
            changed["id"] = (string?)now["id"];
            if (later["version"] != null) changed["version"] = (int?)now["version"];
            Put("wishes", (string)later["key"]!, changed);
        }
        Take(appointment);
        Take(now);
    }

    /// <summary>Stores what changed since the last time: at the start, after an outage, and every hour.</summary>
    static async Task CatchUp()
    {
        string since = Reached("syncedUntil") ?? "2000-01-01T00:00:00Z";
        for (string cursor = ""; ;)
        {
            string query = "updatedSince=" + Uri.EscapeDataString(since);
            if (cursor != "") query += "&cursor=" + Uri.EscapeDataString(cursor);
            var (isDone, page) = await Send(HttpMethod.Get, $"/v1/appointments?{query}");
            if (!isDone) throw new InvalidOperationException((string?)page["message"]);
            bool hasMore = (bool)page["hasMore"]!;
            lock (Gate)
            {
                foreach (var appointment in page["items"]!.AsArray()) Take(appointment!);
                if (!hasMore) Put("progress", "syncedUntil", page["syncedUntil"]);
                Commit();
            }
            if (!hasMore) return;
            cursor = (string)page["nextCursor"]!;
        }
    }

    static string? Reached(string mark)
    {
        lock (Gate) return Progress.TryGetValue(mark, out var reached) ? (string?)reached : null;
    }

    /// <summary>Sends a request until there is a final response.</summary>
    static async Task<(bool IsDone, JsonNode Answer)> Send(
        HttpMethod method, string path, JsonNode? body = null, string? key = null, int? version = null)
    {
        for (double wait = 0.05; ; wait = Math.Min(2 * wait, 30))
        {
            using var request = new HttpRequestMessage(method, ApiUrl + path);
            request.Headers.TryAddWithoutValidation("Authorization", $"Bearer {ApiKey}");
            if (key != null) request.Headers.TryAddWithoutValidation("Idempotency-Key", key);
            if (version != null) request.Headers.TryAddWithoutValidation("If-Match", $"\"{version}\"");
            if (body != null) request.Content = new StringContent(body.ToJsonString(), Encoding.UTF8, "application/json");
            double askedSeconds = 0;
            try
            {
                using var response = await Http.SendAsync(request);
                var answer = JsonNode.Parse(await response.Content.ReadAsStringAsync());
                int status = (int)response.StatusCode;
                if (status == 401) throw new InvalidOperationException((string?)answer?["message"]);
                bool isInProgress = (string?)(answer as JsonObject)?["error"] == "idempotency_in_progress";
                bool isPassing = status >= 500 || status == 429 || isInProgress;
                if (answer != null && !isPassing) return (response.IsSuccessStatusCode, answer);
                askedSeconds = response.Headers.RetryAfter?.Delta?.TotalSeconds ?? 0;
            }
            catch (Exception problem) when (
                problem is HttpRequestException or IOException or TaskCanceledException or JsonException)
            {
                // Without a response it is unknown whether the request was carried out: the key makes a repeat safe.
            }
            await Task.Delay(TimeSpan.FromSeconds(Math.Max(wait, Math.Min(askedSeconds, 3600))));
        }
    }

    /// <summary>Reads the queue of a pull endpoint. The cursor ends a page's deliveries once the book has them.</summary>
    static async Task ReadQueue()
    {
        for (; ; )
        {
            string path = $"/v1/webhook-endpoints/{EndpointId}/queue?waitSeconds=25";
            if (Reached("cursor") is { } cursor) path += "&cursor=" + cursor;
            var (isDone, page) = await Send(HttpMethod.Get, path);
            if (!isDone) throw new InvalidOperationException((string?)page["message"]);
            foreach (var item in page["items"]!.AsArray()) Receive(JsonNode.Parse((string)item!["event"]!)!);
            lock (Gate)
            {
                Put("progress", "cursor", page["cursor"]);
                Commit();
            }
            Work.Release();
        }
    }

    /// <summary>Sends what is waiting in the book, as soon as there is something.</summary>
    static async Task SendChanges()
    {
        for (; ; )
        {
            await Work.WaitAsync();
            await Push();
        }
    }

    static async Task CatchUpEveryHour()
    {
        for (; ; )
        {
            await Task.Delay(CatchUpEvery);
            await CatchUp();
            Work.Release();
        }
    }

    /// <summary>https://…/docs/webhooks#verify-the-signature</summary>
    static bool IsGenuine(string header, byte[] body)
    {
        var parts = header.Split(',').Select(part => part.Split('=', 2)).Where(part => part.Length == 2).ToList();
        string time = parts.FirstOrDefault(part => part[0] == "t")?[1] ?? "";
        bool isNumber = long.TryParse(time, NumberStyles.None, CultureInfo.InvariantCulture, out long seconds);
        if (!isNumber || Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > 300) return false;
        byte[] signed = Encoding.UTF8.GetBytes($"{time}.").Concat(body).ToArray();
        string expected = Convert.ToHexString(HMACSHA256.HashData(Encoding.UTF8.GetBytes(WebhookSecret), signed));
        return parts.Any(part => part[0] == "v1" && CryptographicOperations.FixedTimeEquals(
            Encoding.ASCII.GetBytes(expected.ToLowerInvariant()), Encoding.ASCII.GetBytes(part[1])));
    }

    static async Task Serve()
    {
        var listener = new HttpListener();
        listener.Prefixes.Add($"http://127.0.0.1:{Port}/");
        listener.Start();
        Console.WriteLine($"ready at http://127.0.0.1:{Port}");
        for (; ; )
        {
            var context = await listener.GetContextAsync();
            try
            {
                var (status, answer) = await Respond(context.Request);
                context.Response.StatusCode = status;
                using var writer = new StreamWriter(context.Response.OutputStream);
                await writer.WriteAsync(answer.ToJsonString());
            }
            catch (Exception problem) when (problem is JsonException or InvalidOperationException)
            {
                context.Response.StatusCode = 400;
                context.Response.Close();
            }
            catch (Exception problem) when (problem is HttpListenerException or IOException)
            {
                context.Response.Abort();
            }
        }
    }

    /// <summary>Events come to /hook; everything else is for the practice's own software.</summary>
    static async Task<(int Status, JsonNode Answer)> Respond(HttpListenerRequest request)
    {
        string path = request.Url!.AbsolutePath, asked = $"{request.HttpMethod} {path}";
        bool isEvent = asked == "POST /hook";
        // A web page in a browser on this machine sends an origin, or names another host.
        bool isLocal = request.Headers["Origin"] == null && request.Url.Host is "127.0.0.1" or "localhost";
        if (!isEvent && !isLocal) return (403, new JsonObject { ["error"] = "not_local" });
        if (asked == "GET /book") return (200, Report());
        if (request.ContentLength64 is < 0 or > MaxBodyBytes) return (413, new JsonObject { ["error"] = "too_large" });
        using var buffer = new MemoryStream();
        await request.InputStream.CopyToAsync(buffer);
        byte[] body = buffer.ToArray();
        bool isChange = request.HttpMethod == "PATCH" && path.StartsWith("/visits/", StringComparison.Ordinal);
        if (!isEvent && !isChange && asked != "POST /visits") return (404, new JsonObject { ["error"] = "not_found" });
        bool isSigned = WebhookSecret != "" && IsGenuine(request.Headers["X-Service-Signature"] ?? "", body);
        if (isEvent && !isSigned) return (401, new JsonObject { ["error"] = "signature" });
        var said = JsonNode.Parse(body)!.AsObject();
        if (isEvent) Receive(said);
        else if (isChange) WishToChange(path["/visits/".Length..], said);
        else WishFor(said);
        Work.Release();
        return (200, new JsonObject());
    }

    static JsonObject Report()
    {
        lock (Gate)
            return new JsonObject
            {
                ["book"] = new JsonArray(Book.Values.Select(row => row.DeepClone()).ToArray()),
                ["forTheDesk"] = new JsonArray(ForTheDesk.Values.Select(row => row.DeepClone()).ToArray()),
                ["wishes"] = Wishes.Count,
                ["unacknowledged"] = ToAcknowledge.Count,
            };
    }
}
