@echo off
rem Starts Knobscape on a Java ${maven.compiler.release} or newer, which it finds by itself.
rem KNOBSCAPE_JAVA_OPTS: further options for Java, for example -Xmx8g.
setlocal
set "APP_HOME=%~dp0.."
set "JAR=%APP_HOME%\lib\knobscape-${project.version}.jar"
set "JAVA="
if not exist "%JAR%" (
    echo knobscape: %JAR% is missing; unpack or build the program again ^(mvn -q package^). 1>&2
    exit /b 1
)
if defined JAVA_HOME call :accept "%JAVA_HOME%"
if not defined JAVA for %%J in (java.exe) do if not "%%~$PATH:J"=="" call :acceptProgram "%%~$PATH:J"
if not defined JAVA for %%V in ("Eclipse Adoptium" "Java" "Microsoft" "Zulu" "Amazon Corretto" "BellSoft" "RedHat" "OpenJDK") do (
    if exist "%ProgramFiles%\%%~V" for /d %%H in ("%ProgramFiles%\%%~V\*") do call :accept "%%~H"
)
if not defined JAVA if exist "%USERPROFILE%\.jdks" for /d %%H in ("%USERPROFILE%\.jdks\*") do call :accept "%%~H"
if not defined JAVA (
    echo knobscape: no Java ${maven.compiler.release} or newer was found ^(JAVA_HOME, PATH and the common places were tried^); install one, for example from https://adoptium.net, or set JAVA_HOME. 1>&2
    exit /b 1
)
set "MEMORY="
if not defined KNOBSCAPE_JAVA_OPTS set MEMORY="@%APP_HOME%\lib\memory.options"
"%JAVA%" %MEMORY% -XX:CompileThresholdScaling=5 --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow %KNOBSCAPE_JAVA_OPTS% "-Dknobscape.home=%APP_HOME%" -jar "%JAR%" %*
exit /b %ERRORLEVEL%
rem %1: a java.exe in the bin folder of its home.
:acceptProgram
for %%P in ("%~dp1..") do call :accept "%%~fP"
exit /b

rem %1: the home of a Java; sets JAVA if it is new enough, by its "release" file (JAVA_VERSION="25.0.3").
:accept
if defined JAVA exit /b
if not exist "%~1\bin\java.exe" exit /b
if not exist "%~1\release" exit /b
for /f tokens^=2^ delims^=^".-+ %%M in ('findstr /b "JAVA_VERSION=" "%~1\release"') do if %%M GEQ ${maven.compiler.release} set "JAVA=%~1\bin\java.exe"
exit /b
