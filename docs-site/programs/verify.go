package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// isGenuine takes X-Service-Signature ("" when it is missing) and the body as it arrived.
func isGenuine(header string, rawBody []byte, secret string) bool {
	var t string
	var digests []string
	for _, part := range strings.Split(header, ",") {
		switch name, value, _ := strings.Cut(part, "="); name {
		case "t":
			t = value
		case "v1":
			digests = append(digests, value)
		}
	}
	seconds, err := strconv.ParseInt(t, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(t + "."))
	mac.Write(rawBody)
	expected := mac.Sum(nil)
	for _, digest := range digests {
		if given, err := hex.DecodeString(digest); err == nil && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}
