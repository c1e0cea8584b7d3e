using System;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

public static class WebhookSignature
{
    const int ToleranceSeconds = 300;

    /// <param name="header">X-Service-Signature, or null</param>
    /// <param name="rawBody">the bytes, as they arrived</param>
    public static bool IsGenuine(string? header, byte[] rawBody, string secret)
    {
        var parts = (header ?? "").Split(',').Select(part => part.Split('=', 2)).Where(part => part.Length == 2).ToList();
        var t = parts.Where(part => part[0] == "t").Select(part => part[1]).FirstOrDefault() ?? "";
        if (!long.TryParse(t, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > ToleranceSeconds) return false;
        var signed = Encoding.UTF8.GetBytes(t + ".").Concat(rawBody).ToArray();
        var digest = HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), signed);
        var expected = Encoding.ASCII.GetBytes(Convert.ToHexString(digest).ToLowerInvariant());
        return parts.Any(part => part[0] == "v1"
            && CryptographicOperations.FixedTimeEquals(Encoding.ASCII.GetBytes(part[1]), expected));
    }
}
